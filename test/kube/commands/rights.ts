import {
  kubectl,
  printed,
  refused,
  start,
  type CommandScenario,
  type CommandStep,
} from './command.ts'

/** Waits until the controller has given a ClusterRole the rules of others. */
function filled(role: string): readonly CommandStep[] {
  const watched = `get clusterroles --field-selector=metadata.name=${role} --watch`
  return [
    start(role, kubectl(`${watched} -o jsonpath='{.rules[*].resources}'`)),
    printed(role, /configmaps/),
  ]
}

const roleOfJoe = 'create role mine --verb=get,list --resource=pods,deployments'

/** Roles and bindings that are enforced, with `kubectl --as`; `view`, `edit` and `admin` need the controller that fills them. */
export const rightsCommands: readonly CommandScenario[] = [
  {
    title: 'users have the rights of their roles',
    steps: [
      ...filled('view'),
      refused(
        '--as=jane get pods',
        /pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "<ns>"/,
      ),
      refused('--as=jane auth can-i list pods', /^no$/m),
      kubectl('create configmap settings --from-literal=a=b'),
      kubectl('create rolebinding viewers --clusterrole=view --user=jane', { prints: /created/ }),
      kubectl('--as=jane auth can-i list pods', { prints: /^yes$/m }),
      kubectl('--as=jane auth can-i --list', {
        prints: /^configmaps +\[\] +\[\] +\[get list watch\]$/m,
      }),
      kubectl('--as=jane get configmaps,deployments', { prints: /settings/ }),
      refused('--as=jane get secrets', /secrets is forbidden/),
      refused('--as=jane get configmaps -A', /at the cluster scope/),
      refused('--as=jane delete configmap settings', /cannot delete resource "configmaps"/),
      refused('--as=jane create deployment web --image=nginx', /cannot create resource/),
      refused('--as=jane get --raw /metrics', /cannot get path|forbidden/),
      kubectl('get clusterroles -l kubernetes.io/bootstrapping -o name', {
        prints: /clusterrole\.rbac\.authorization\.k8s\.io\/view/,
      }),
      kubectl('describe clusterrole view', { prints: /configmaps/ }),
      kubectl('auth whoami --as=jane --as-group=dev --as-uid=1', { prints: /UID +1/, since: 28 }),
    ],
  },
  {
    title: 'users give others the rights that they have',
    steps: [
      ...filled('admin'),
      kubectl('create rolebinding admins --clusterrole=admin --group=admins', {
        prints: /created/,
      }),
      kubectl(`--as=joe --as-group=admins ${roleOfJoe}`, { prints: /created/ }),
      kubectl('--as=joe --as-group=admins create rolebinding own --role=mine --user=jane', {
        prints: /created/,
      }),
      kubectl(
        '--as=joe --as-group=admins create rolebinding editors --clusterrole=edit --user=ann',
        {
          prints: /created/,
        },
      ),
      refused(
        '--as=joe --as-group=admins create rolebinding all --clusterrole=cluster-admin --user=joe',
        /attempting to grant RBAC permissions not currently held/,
      ),
      refused(
        '--as=joe --as-group=admins create role nodes --verb=get --resource=nodes',
        /Resources:\["nodes"\], Verbs:\["get"\]/,
      ),
      refused('--as=jane create rolebinding x --role=mine --user=ann', /cannot create resource/),
      kubectl('--as=ann create configmap settings --from-literal=a=b', { prints: /created/ }),
      kubectl('--as=jane get pods,deployments'),
      kubectl('--as=joe --as-group=admins delete rolebinding own', { prints: /deleted/ }),
    ],
  },
]
