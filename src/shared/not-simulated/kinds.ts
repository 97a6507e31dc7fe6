import { ownField } from '../json.ts'

const notEnforced =
  'it is stored, but without --rbac not enforced: every user who is not a node may do everything'

/** Kinds that the sandbox stores, and that nothing acts on as in a real cluster; what is missing, as a clause. */
const storedOnlyKinds: Readonly<Record<string, string>> = {
  Role: notEnforced,
  RoleBinding: notEnforced,
  ClusterRole: notEnforced,
  ClusterRoleBinding: notEnforced,
  RuntimeClass: 'its handler is ignored: the one simulated runtime runs every pod',
}

/** The warnings for a new object of a kind; empty for kinds that are simulated. */
export function storedOnlyWarnings(kind: string, enforcesRbac = false): readonly string[] {
  const missing = ownField(storedOnlyKinds, kind)
  return missing === undefined || (enforcesRbac && missing === notEnforced)
    ? []
    : [`${kind}: not simulated: ${missing}`]
}
