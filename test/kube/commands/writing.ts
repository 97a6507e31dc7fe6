import { pod } from '../exchange.ts'
import { kubectl, refused, type CommandScenario, type TextDifference } from './command.ts'
import { createdPod, podYaml, running, runningPod } from './objects.ts'
import { fullPodYaml } from '../../kubectl/manifests.ts'

const changedImage = 'registry.example/app:2'

function patchOf(kind: string, body: unknown, more = ''): string {
  return `patch pod web --type=${kind} -p '${JSON.stringify(body)}'${more}`
}

const refusedChange: TextDifference = {
  lines: /^([ +-].*|@@.*|)$/,
  why: 'the sandbox shows a refused change in the API’s own words',
}

const ownJsonReader: TextDifference = {
  lines: /^Error from server/,
  why: 'where JSON is broken is said by Go’s reader there, by JavaScript’s here',
}

/** Commands that create and change objects. */
export const writingCommands: readonly CommandScenario[] = [
  {
    title: 'create',
    steps: [
      kubectl('create -f -', { stdin: podYaml('web'), prints: /^pod\/web created$/m }),
      refused('create -f -', /AlreadyExists/, { stdin: podYaml('web') }),
      kubectl('create -f - -o yaml', { stdin: podYaml('two'), prints: /dnsPolicy: ClusterFirst/ }),
      kubectl('create -f - --dry-run=server -o yaml', { stdin: podYaml('three') }),
      kubectl('create -f - --dry-run=client -o name', { stdin: podYaml('three') }),
      kubectl('get pods -o name'),
      kubectl('create -f -', {
        stdin: fullPodYaml,
        prints: /pod\/full created/,
      }),
      kubectl('get pod full -o yaml', { prints: /seccompProfile/ }),
      kubectl('describe pod full', { prints: /^QoS Class: +Burstable$/m }),
      kubectl('create namespace <ns>-made', { prints: /created/ }),
      refused('create namespace <ns>-made', /AlreadyExists/),
      refused('create namespace No_Name', /Invalid/),
      kubectl('create -f -', {
        stdin: `${podYaml('four')}\n---\n${podYaml('five')}`,
        prints: /pod\/five created/,
      }),
      kubectl('run quick --image=registry.example/app:1 --restart=Never --labels=a=b', {
        prints: /pod\/quick created/,
      }),
      refused('run quick --image=registry.example/app:1', /AlreadyExists/),
    ],
  },
  {
    title: 'a namespace with levels of pod security',
    steps: [
      kubectl(
        'label namespace <ns> pod-security.kubernetes.io/enforce=baseline pod-security.kubernetes.io/warn=restricted',
        { prints: /labeled/ },
      ),
      kubectl('create deployment web --image=registry.example/app:1', {
        prints: /Warning: would violate PodSecurity "restricted:latest": allowPrivilegeEscalation/,
      }),
      refused('create -f -', /violates PodSecurity "baseline:latest": host namespaces/, {
        stdin: podYaml('host', { extra: '  hostNetwork: true\n' }),
      }),
      kubectl('create -f -', {
        stdin: podYaml('plain'),
        prints: /Warning: would violate PodSecurity "restricted:latest"/,
      }),
      kubectl('label namespace <ns> --overwrite pod-security.kubernetes.io/enforce=restricted', {
        prints: /Warning: plain: allowPrivilegeEscalation != false/,
      }),
      refused(
        'label namespace <ns> --overwrite pod-security.kubernetes.io/enforce=strict',
        /must be one of privileged, baseline, restricted/,
      ),
    ],
  },
  {
    title: 'create invalid objects',
    steps: [
      refused('create -f -', /unknown field "spec\.containers\[0\]\.imag"/, {
        stdin: podYaml('bad', { extra: '    imag: x\n  hostNetwrk: true\n' }),
      }),
      refused('create -f -', /of type bool/, {
        stdin: podYaml('bad', { extra: '  hostNetwork: "yes"\n' }),
      }),
      kubectl('create -f - --validate=warn', {
        stdin: podYaml('warned', { extra: '  hostNetwrk: true\n' }),
        prints: /Warning: unknown field "spec\.hostNetwrk"/,
      }),
      kubectl('create -f - --validate=false', {
        stdin: podYaml('unseen', { extra: '  hostNetwrk: true\n' }),
      }),
      refused('create -f -', /metadata\.name: Invalid value/, { stdin: podYaml('No_Name') }),
      refused('create -f -', /spec\.restartPolicy/, {
        stdin: podYaml('bad', { extra: '  restartPolicy: Sometimes\n' }),
      }),
      refused('create -f -', /spec\.containers: Required value/, {
        stdin: 'apiVersion: v1\nkind: Pod\nmetadata: {name: bad}\nspec: {containers: []}\n',
      }),
      refused('create -f -', /Duplicate value/, {
        stdin: podYaml('bad', { extra: '  - {name: c, image: x}\n' }),
      }),
      refused('create -f -', /no matches for kind "Gizmo"/, {
        stdin: 'apiVersion: example.com/v1\nkind: Gizmo\nmetadata: {name: x}\n',
      }),
      refused('create -f -', /no matches for kind "Podd"/, {
        stdin: 'apiVersion: v1\nkind: Podd\nmetadata: {name: x}\n',
      }),
      refused('create -f -', /apiVersion not set/, { stdin: 'kind: Pod\nmetadata: {name: x}\n' }),
      refused('create -f -', /kind not set/, { stdin: 'apiVersion: v1\nmetadata: {name: x}\n' }),
      refused('create -f -', /error/, { stdin: 'this: is: no yaml' }),
      refused('create -f - -n nowhere', /namespaces "nowhere" not found/, {
        stdin: podYaml('web'),
      }),
      refused('create -f - -n <ns>', /does not match the namespace/, {
        stdin: podYaml('web').replace('name: web', 'name: web\n  namespace: other'),
      }),
      refused('create -f -', /serviceaccount "ghost" not found/, {
        stdin: podYaml('bad', { extra: '  serviceAccountName: ghost\n' }),
      }),
    ],
  },
  {
    title: 'apply',
    steps: [
      kubectl('apply -f -', { stdin: podYaml('web'), prints: /^pod\/web created$/m }),
      kubectl('apply -f -', { stdin: podYaml('web'), prints: /^pod\/web unchanged$/m }),
      kubectl('diff -f -', { stdin: podYaml('web') }),
      refused('diff -f -', /^\+.*app:2$/m, {
        stdin: podYaml('web', { image: changedImage }),
      }),
      refused('diff -f -', /^\+.*name: new$/m, { stdin: podYaml('new') }),
      kubectl('apply -f -', {
        stdin: podYaml('web', { label: 'other', image: changedImage }),
        prints: /^pod\/web configured$/m,
      }),
      kubectl('get pod web -o yaml', { prints: /last-applied-configuration/ }),
      kubectl('apply view-last-applied pod web', { prints: /app:2/ }),
      refused('apply -f -', /may not change fields other than/, {
        stdin: podYaml('web', { label: 'other' }).replace('"3600"', '"1"'),
        differs: [refusedChange],
      }),
      kubectl('apply -f - --dry-run=server -o yaml', {
        stdin: podYaml('web', { label: 'third', image: changedImage }),
      }),
      kubectl('apply -f - -l app=none', { stdin: podYaml('two'), code: 1 }),
      refused('apply -f -', /strict decoding error/, {
        stdin: podYaml('bad', { extra: '  hostNetwrk: true\n' }),
      }),
      createdPod('old'),
      kubectl('apply -f -', {
        stdin: podYaml('old'),
        code: 1,
        prints: /missing the kubectl\.kubernetes\.io\/last-applied-configuration/,
        differs: [refusedChange],
      }),
    ],
  },
  {
    title: 'patch',
    steps: [
      createdPod('web', { metadata: { labels: { app: 'web' } } }),
      kubectl(
        patchOf('strategic', { spec: { containers: [{ name: 'c', image: changedImage }] } }),
        {
          prints: /^pod\/web patched$/m,
        },
      ),
      kubectl(
        patchOf('strategic', { spec: { containers: [{ name: 'c', image: changedImage }] } }),
        {
          prints: /no change/,
        },
      ),
      kubectl(patchOf('merge', { metadata: { labels: { app: null, merged: 'yes' } } })),
      kubectl(patchOf('json', [{ op: 'add', path: '/metadata/labels/json', value: 'yes' }])),
      kubectl('get pod web -o yaml', { prints: /merged: "?yes/ }),
      refused(patchOf('json', [{ op: 'remove', path: '/metadata/labels/none' }]), /./),
      refused(patchOf('json', [{ op: 'test', path: '/metadata/name', value: 'x' }]), /./),
      refused(patchOf('merge', { spec: { nodeName: 'n2', priority: 7 } }), /Forbidden/, {
        differs: [refusedChange],
      }),
      refused(patchOf('strategic', { spec: { containers: [{ image: 'x' }] } }), /merge key: name/),
      refused(`patch pod web -p '{"spec":'`, /BadRequest/, { differs: [ownJsonReader] }),
      refused(`patch pod nobody -p '{}'`, /pods "nobody" not found/),
      kubectl(patchOf('merge', { status: running }, ' --subresource=status')),
      kubectl('get pod web', { prints: /Running/ }),
      kubectl(
        patchOf('merge', { metadata: { labels: { dry: 'yes' } } }, ' --dry-run=server -o yaml'),
      ),
      kubectl(patchOf('merge', { metadata: { resourceVersion: '1', labels: { x: 'y' } } }), {
        code: 1,
        prints: /Conflict/,
      }),
    ],
  },
  {
    title: 'resize',
    // --subresource.
    since: 32,
    steps: [
      kubectl('create -f -', {
        stdin: JSON.stringify(
          pod('web', {
            spec: {
              nodeName: 'n1',
              containers: [
                {
                  name: 'c',
                  image: 'registry.example/app:1',
                  resources: { requests: { cpu: '100m' }, limits: { memory: '64Mi' } },
                },
              ],
            },
          }),
        ),
      }),
      kubectl(
        patchOf(
          'strategic',
          { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '250m' } } }] } },
          ' --subresource resize',
        ),
        { prints: /^pod\/web patched$/m },
      ),
      kubectl('edit pod web --subresource resize', {
        editor: 'sed -i s/250m/300m/',
        prints: /pod\/web edited/,
      }),
      kubectl('get pod web -o yaml', { prints: /generation: 3/ }),
      refused(
        patchOf(
          'strategic',
          { spec: { containers: [{ name: 'c', resources: { requests: { cpu: null } } }] } },
          ' --subresource resize',
        ),
        /resource requests cannot be removed/,
      ),
    ],
  },
  {
    title: 'replace, edit and set',
    steps: [
      createdPod('web', { metadata: { labels: { app: 'web' } } }),
      refused('replace -f -', /may not change fields other than/, {
        stdin: JSON.stringify(pod('web', { metadata: { labels: { only: 'this' } } })),
        differs: [refusedChange],
      }),
      kubectl('replace -f -', {
        stdin: JSON.stringify(
          pod('web', {
            metadata: { labels: { only: 'this' } },
            spec: { serviceAccountName: 'default' },
          }),
        ),
        prints: /^pod\/web replaced$/m,
      }),
      kubectl('get pod web --show-labels'),
      refused('replace -f -', /NotFound/, { stdin: podYaml('nobody') }),
      refused('replace -f -', /Conflict/, {
        stdin: JSON.stringify(pod('web', { metadata: { resourceVersion: '1' } })),
      }),
      kubectl('edit pod web', { editor: 'sed -i s/app:1/app:2/', prints: /pod\/web edited/ }),
      kubectl('edit pod web', { editor: 'true', prints: /Edit cancelled, no changes made/ }),
      refused('edit pod nobody', /pods "nobody" not found/, { editor: 'true' }),
      kubectl('get pod web -o jsonpath={.spec.containers[0].image}', { prints: /app:2/ }),
      kubectl('set image pod/web c=registry.example/app:3', { prints: /image updated/ }),
      refused('set image pod/web d=registry.example/app:3', /unable to find container named "d"/),
      kubectl('replace --force -f - --grace-period=0', {
        stdin: podYaml('web'),
        prints: /replaced/,
      }),
    ],
  },
  {
    title: 'label and annotate',
    steps: [
      ...runningPod('web', { labels: { app: 'web' } }),
      ...runningPod('two', { labels: { app: 'web' } }),
      kubectl('label pod web tier=front', { prints: /^pod\/web labeled$/m }),
      kubectl('label pod web tier=front', { prints: /not labeled/ }),
      refused('label pod web tier=back', /already has a value/),
      kubectl('label pod web tier=back --overwrite'),
      kubectl('label pods -l app=web all=yes', { prints: /pod\/two labeled/ }),
      kubectl('label pods --all every=one'),
      kubectl('label pod web app-', { prints: /unlabeled/ }),
      kubectl('label pod web none-', { prints: /label "none" not found/ }),
      refused('label pod web not/a/key=x', /./),
      refused(`label pod web 'a=not a value'`, /./),
      refused('label pod nobody a=b', /pods "nobody" not found/),
      kubectl('label pod web a=b --resource-version=1', { code: 1, prints: /Conflict|modified/ }),
      kubectl('annotate pod web note=hello', { prints: /annotated?/ }),
      refused('annotate pod web note=bye', /./),
      kubectl('annotate pod web note=bye --overwrite'),
      kubectl('annotate pod web note-'),
      kubectl('annotate pod web --list'),
      kubectl('get pods --show-labels'),
      kubectl('label namespace <ns> team=a', { prints: /namespace\/<ns> labeled/ }),
    ],
  },
]
