/** getScopeSummary: a scope at one glance. */
import { describeAdminScopeQuestion } from '../../rules/scope-questions.ts'
import { describeSummary } from '../../rules/scope-summaries.ts'
import { createSubject } from '../../subject.ts'

describeAdminScopeQuestion(createSubject('getScopeSummary'), describeSummary)
