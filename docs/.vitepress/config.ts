/** The site of all pages: `npm run docs`. What it needs to know of this repository is in tools/docs/site. */
import { defineConfig } from 'vitepress'
import { slugOf } from '../../tools/check/markdown.ts'
import { followLink } from '../../tools/docs/site/links.ts'
import { copyProblems, copySources } from '../../tools/docs/site/copies.ts'
import { writeForModels } from '../../tools/docs/site/for-models.ts'
import { homeOf, notPages, sidebar } from '../../tools/docs/site/pages.ts'
import { indexOptions, reportSearch, searchOptions } from '../../tools/docs/site/search.ts'

export default defineConfig({
  title: 'Concord',
  description: 'Says what each document of a case claims, and which claims contradict each other.',
  // Pages lead out of docs/, to those at the root of the repository and of its packages.
  srcDir: '..',
  srcExclude: notPages,
  rewrites: homeOf,
  cleanUrls: true,
  // Files of the repository that pages point at are copied, see below.
  ignoreDeadLinks: [/^\/source\//],
  themeConfig: {
    nav: [
      { text: 'Tutorial', link: '/docs/tutorial/five-minutes' },
      { text: 'Pages', link: '/docs/' },
      { text: 'Routes', link: '/docs/reference/api' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch: { options: indexOptions, searchOptions } } },
  },
  markdown: { anchor: { slugify: slugOf }, config: followLink, languageAlias: { cedar: 'txt' } },
  async buildEnd({ outDir }) {
    copySources(outDir)
    copyProblems(outDir)
    writeForModels(outDir)
    const misses = await reportSearch(outDir)
    if (misses > 0) throw new Error('Name the subject of a page in the words that people search for.')
  },
})
