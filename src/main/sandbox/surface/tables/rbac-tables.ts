import { objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { ageColumn, column, nameColumn, tableOf, wide } from './columns.ts'

/** The default table of the server, for kinds without a printer. */
export const createdTable = tableOf(
  [nameColumn, column('Created At', 'created', 'When the object was created.', { type: 'date' })],
  ({ metadata }: KubeObject) => ({ created: metadata.creationTimestamp ?? '' }),
)

function subjectNames(binding: KubeObject, kind: string): string {
  const names = objectsAt(binding, 'subjects')
    .filter((subject) => subject['kind'] === kind)
    .map((subject) =>
      kind === 'ServiceAccount'
        ? `${textAt(subject, 'namespace')}/${textAt(subject, 'name')}`
        : textAt(subject, 'name'),
    )
  return names.join(', ')
}

/** Source: pkg/printers/internalversion printRoleBinding (v1.34). */
export const bindingTable = tableOf(
  [
    nameColumn,
    column('Role', 'role', 'The role that its subjects have.'),
    ageColumn,
    column('Users', 'users', 'The users among its subjects.', wide),
    column('Groups', 'groups', 'The groups among its subjects.', wide),
    column('ServiceAccounts', 'accounts', 'The service accounts among its subjects.', wide),
  ],
  (binding) => {
    const role = objectAt(binding, 'roleRef')
    return {
      role: `${textAt(role, 'kind')}/${textAt(role, 'name')}`,
      users: subjectNames(binding, 'User'),
      groups: subjectNames(binding, 'Group'),
      accounts: subjectNames(binding, 'ServiceAccount'),
    }
  },
)
