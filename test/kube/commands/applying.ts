import {
  kubectl,
  localFile,
  refused,
  type CommandScenario,
  type TextDifference,
} from './command.ts'
import { runs, workload } from './workload-objects.ts'

const map = (data: object, metadata: object = {}): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', ...metadata },
    data,
  })

const web = (replicas: number, image = runs): string =>
  workload('Deployment', 'web', { spec: { replicas }, image })

const twice = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'twice' },
  spec: {
    selector: { matchLabels: { app: 'twice' } },
    template: {
      metadata: { labels: { app: 'twice' } },
      spec: {
        containers: [
          {
            name: 'c',
            image: runs,
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '2' },
            ],
          },
        ],
      },
    },
  },
})

const hasManagers: TextDifference = {
  lines: /^The request is invalid/,
  why: 'the object that is shown has managed fields on a real server only',
}

const json = (value: unknown): string => JSON.stringify(value)
const patchOf = (type: string, body: unknown, more = ''): string =>
  `patch deployment web --type=${type} -p ${json(body)}${more}`

/** apply, diff, patch, replace and edit of objects with owners of their fields. */
export const applyCommands: readonly CommandScenario[] = [
  {
    title: 'apply on the server, with conflicts',
    steps: [
      kubectl('apply --server-side -f -', { stdin: web(2), prints: /serverside-applied/ }),
      kubectl('apply --server-side -f -', { stdin: web(2), prints: /serverside-applied/ }),
      kubectl('get deployment web -o yaml --show-managed-fields', { prints: /operation: Apply/ }),
      kubectl('scale deployment web --replicas=3', { prints: /scaled/ }),
      kubectl('get deployment web -o yaml --show-managed-fields', { prints: /manager: kubectl/ }),
      refused('apply --server-side -f -', /conflict/, { stdin: web(2) }),
      refused('apply --server-side --field-manager=other -f -', /conflict/, {
        stdin: web(4, 'registry.example/run:2'),
      }),
      kubectl(
        'apply --server-side --dry-run=server --force-conflicts -f - -o jsonpath={.spec.replicas}',
        {
          stdin: web(2),
          prints: /^2$/,
        },
      ),
      refused('diff --server-side -f -', /conflict/, { stdin: web(2), code: 2 }),
      refused('diff --server-side --force-conflicts -f -', /^\+ {2}replicas: 2$/m, {
        stdin: web(2),
      }),
      kubectl('apply --server-side --force-conflicts -f -', {
        stdin: web(2),
        prints: /serverside-applied/,
      }),
      kubectl('get deployment web -o yaml --show-managed-fields'),
      kubectl('apply --server-side --field-manager=other -f -', { stdin: web(2) }),
      refused('apply --server-side -f -', /duplicate entries for key/, { stdin: twice }),
      refused('apply --server-side -f -', /field not declared in schema/, {
        stdin: map({ a: '1' }).replace('"data"', '"gizmo":1,"data"'),
      }),
      refused('apply --server-side --validate=strict -f -', /./, {
        stdin: map({ a: '1' }).replace('"data"', '"gizmo":1,"data"'),
      }),
      kubectl('apply --server-side -f -', {
        stdin: map({ a: '1' }),
        prints: /configmap\/settings serverside-applied/,
      }),
      kubectl('apply --server-side -f -', { stdin: map({ b: '1' }) }),
      kubectl('get configmap settings -o jsonpath={.data}', { prints: /^\{"b":"1"\}$/ }),
    ],
  },
  {
    title: 'apply on the server after an apply on the client, and back',
    steps: [
      kubectl('apply -f -', { stdin: map({ a: '1', b: '2' }), prints: /created/ }),
      kubectl('apply --server-side -f -', { stdin: map({ a: '2' }), prints: /serverside-applied/ }),
      kubectl('get configmap settings -o yaml --show-managed-fields'),
      kubectl('apply -f -', { stdin: map({ a: '3' }), prints: /configured/ }),
      kubectl('apply view-last-applied configmap settings', { prints: /a: "3"/ }),
      kubectl('apply edit-last-applied configmap settings', {
        editor: `sed -i 's/a: "3"/a: "4"/'`,
        prints: /edited|skipped|configured/,
      }),
      localFile('settings.json', map({ a: '9' })),
      kubectl('apply set-last-applied -f <local>/settings.json', { prints: /configured/ }),
      kubectl('apply view-last-applied configmap settings -o json', { prints: /"9"/ }),
      kubectl('diff -f -', { stdin: map({ a: '3' }), code: 0 }),
      kubectl('create configmap other --from-literal=a=b'),
      refused('apply set-last-applied -f -', /annotation|error/, {
        stdin: map({ a: '1' }, { name: 'other' }),
      }),
      kubectl('apply set-last-applied --create-annotation=true -f -', {
        stdin: map({ a: '1' }, { name: 'other' }),
      }),
    ],
  },
  {
    title: 'apply prunes what it no longer has',
    steps: [
      kubectl('apply -f -', {
        // YAML, since before 1.33 kubectl reads a text that begins with JSON as JSON alone.
        stdin: `---\n${map({ a: '1' }, { name: 'one', labels: { set: 'x' } })}\n---\n${map({ a: '1' }, { name: 'two', labels: { set: 'x' } })}`,
        prints: /two created/,
      }),
      kubectl('apply --prune -l set=x --prune-allowlist=core/v1/ConfigMap --dry-run=server -f -', {
        stdin: map({ a: '1' }, { name: 'one', labels: { set: 'x' } }),
        prints: /two pruned \(server dry run\)/,
      }),
      kubectl('apply --prune -l set=x --prune-allowlist=core/v1/ConfigMap -f -', {
        stdin: map({ a: '1' }, { name: 'one', labels: { set: 'x' } }),
        prints: /configmap\/two pruned/,
      }),
      kubectl('get configmaps -l set=x -o name', { prints: /^configmap\/one\n$/ }),
      refused('apply --prune -f -', /all resources selected for prune|must be/, { stdin: map({}) }),
    ],
  },
  {
    title: 'patch a deployment in each way',
    steps: [
      kubectl('apply -f -', { stdin: web(2) }),
      kubectl(
        patchOf('strategic', {
          spec: { template: { spec: { containers: [{ name: 'd', image: 'x' }] } } },
        }),
        {
          prints: /patched/,
        },
      ),
      kubectl('get deployment web -o jsonpath={.spec.template.spec.containers[*].name}', {
        prints: /^d c$/,
      }),
      kubectl(
        patchOf('strategic', {
          spec: { template: { spec: { containers: [{ name: 'd', $patch: 'delete' }] } } },
        }),
      ),
      kubectl(
        patchOf('strategic', { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }),
      ),
      kubectl('get deployment web -o jsonpath={.spec.strategy}', {
        prints: /^\{"type":"Recreate"\}$/,
      }),
      kubectl(
        patchOf('merge', {
          spec: { template: { spec: { containers: [{ name: 'e', image: 'x' }] } } },
        }),
      ),
      kubectl(patchOf('json', [{ op: 'replace', path: '/spec/replicas', value: 5 }])),
      kubectl(
        patchOf('json', [
          { op: 'test', path: '/spec/replicas', value: 5 },
          { op: 'remove', path: '/spec/paused' },
        ]),
        {
          code: 1,
        },
      ),
      kubectl(patchOf('merge', { spec: { replicas: 7 } }, ' --subresource=scale'), {
        prints: /patched/,
      }),
      kubectl(patchOf('merge', { status: { observedGeneration: 9 } }, ' --subresource=status'), {
        prints: /patched/,
      }),
      kubectl(
        patchOf(
          'merge',
          { spec: { replicas: 1 } },
          ' --dry-run=server -o jsonpath={.spec.replicas}',
        ),
        { prints: /^1$/ },
      ),
      kubectl(
        patchOf(
          'merge',
          { spec: { replicas: 1 } },
          ' --dry-run=client -o jsonpath={.spec.replicas}',
        ),
      ),
      refused(
        patchOf('merge', { spec: { selector: { matchLabels: { app: 'x' } } } }),
        /does not match|immutable/,
      ),
      refused(patchOf('merge', { spec: { replicas: -1 } }), /must be greater than or equal to 0/),
      refused(patchOf('merge', { spec: { replicas: 'x' } }), /cannot unmarshal string/, {
        differs: [hasManagers],
      }),
      refused(patchOf('strange', {}), /type must be one of/),
      localFile('patch.yaml', 'metadata: {labels: {from: file}}\n'),
      kubectl('patch deployment web --patch-file=<local>/patch.yaml', { prints: /patched/ }),
      kubectl('get deployment web --show-labels', { prints: /from=file/ }),
    ],
  },
  {
    title: 'edit and replace a deployment',
    steps: [
      kubectl('apply -f -', { stdin: web(2) }),
      kubectl('edit deployment web', {
        editor: 'sed -i "s/replicas: 2/replicas: 4/"',
        prints: /edited/,
      }),
      kubectl('get deployment web -o jsonpath={.spec.replicas}', { prints: /^4$/ }),
      kubectl('edit deployment web -o json', { editor: 'sed -i s/run:1/run:2/', prints: /run:2/ }),
      kubectl('edit deployment web --subresource=status', {
        editor: 'sed -i "s/^status: {}/status: {observedGeneration: 9}/"',
        prints: /edited/,
      }),
      refused('edit deployment web', /field is immutable|Edit cancelled/, {
        editor: 'sed -i "s/app: web/app: other/"',
      }),
      refused('edit deployment web', /./, { editor: 'sed -i s/^spec:/spec/' }),
      refused('edit deployment web', /./, { editor: 'false' }),
      kubectl('edit deployment web --save-config', {
        editor: 'sed -i s/run:2/run:3/',
        prints: /edited/,
      }),
      kubectl('get deployment web -o jsonpath={.spec.template.spec.containers[0].image}', {
        prints: /run:3/,
      }),
      kubectl('replace -f -', { stdin: web(1), prints: /replaced/ }),
      kubectl('replace -f - --dry-run=server', {
        stdin: web(8),
        prints: /replaced \(server dry run\)/,
      }),
      kubectl('replace --force -f -', {
        stdin: web(3),
        prints: /^deployment\.apps "web" deleted[\s\S]*replaced/m,
      }),
      refused('replace -f -', /NotFound/, { stdin: workload('Deployment', 'nobody') }),
      kubectl('replace --force -f -', { stdin: workload('Deployment', 'new'), prints: /replaced/ }),
      kubectl('replace --subresource=scale -f -', {
        stdin: json({
          apiVersion: 'autoscaling/v1',
          kind: 'Scale',
          metadata: { name: 'web' },
          spec: { replicas: 9 },
        }),
        code: 1,
      }),
    ],
  },
]
