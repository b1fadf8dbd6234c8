/** getScopeMetrics: a scope over time, as its administrator sees it. */
import { describeMetrics } from '../../rules/scope-metrics.ts'
import { describeAdminScopeQuestion } from '../../rules/scope-questions.ts'
import { createSubject } from '../../subject.ts'

describeAdminScopeQuestion(createSubject('getScopeMetrics'), describeMetrics)
