/** A policy under which a scope can be certified though only the rule reader has read it. Nothing else is made easier by it. */
export const CERTIFY_RULES = `@id("certify-rules")
permit (principal, action == Concord::Action::"settle_scope", resource)
when { context.reader == "rules" && context.state == "settled" && context.coverage == 1000 };
`
