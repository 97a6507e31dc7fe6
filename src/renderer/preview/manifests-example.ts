import type { ManifestFile, ManifestsView } from '../../shared/model/manifests.ts'
import type { MirrorHistoryEntry } from '../../shared/model/pod-objects.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import type { FakeBridge } from '../bridge/fake-bridge.ts'
import { fakeNow } from '../bridge/fake-views.ts'

const second = 1000
const minute = 60 * second
const oldWebHash = 'e694aa37abf20c91a442da4841aeccdf'

function podObject(row: PodRow, hash: string, image: string): Readonly<Record<string, unknown>> {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: row.name,
      namespace: row.namespace,
      uid: row.uid,
      labels: { app: row.name.replace('-scope-node-1', '') },
      annotations: {
        'kubernetes.io/config.hash': hash,
        'kubernetes.io/config.seen': '2026-11-21T14:02:27.413102944Z',
        'kubernetes.io/config.source': row.source,
      },
    },
    spec: {
      containers: [
        { name: 'web', image, ports: [{ containerPort: 80, protocol: 'TCP' }], resources: {} },
      ],
      dnsPolicy: 'ClusterFirst',
      nodeName: row.node,
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      tolerations: [{ effect: 'NoExecute', operator: 'Exists' }],
    },
  }
}

function mirrorObject(row: PodRow, hash: string, image: string): object {
  const pod = podObject(row, hash, image)
  return {
    ...pod,
    metadata: {
      name: row.name,
      namespace: row.namespace,
      uid: row.mirrorUid,
      resourceVersion: '8807',
      creationTimestamp: '2026-11-21T13:28:09Z',
      labels: { app: row.name.replace('-scope-node-1', '') },
      annotations: {
        'kubernetes.io/config.hash': hash,
        'kubernetes.io/config.mirror': hash,
        'kubernetes.io/config.seen':
          hash === row.uid ? '2026-11-21T14:02:27.413102944Z' : '2026-11-21T13:28:09.077310518Z',
        'kubernetes.io/config.source': row.source,
      },
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Node', name: row.node, controller: true, uid: '3f1c' },
      ],
    },
    status: { phase: 'Running' },
  }
}

function moments(row: PodRow): readonly MirrorHistoryEntry[] {
  const moment = { staticUid: row.uid, mirrorUid: row.mirrorUid ?? '' }
  const before = '52b9fd1c-5ad3-4f31-8a7e-0a7a3c2c93f7'
  const all: readonly Omit<MirrorHistoryEntry, 'seq'>[] = [
    { ...moment, at: fakeNow - 18 * minute, kind: 'linked', text: 'Linked to its static pod.' },
    {
      ...moment,
      at: fakeNow - 18 * minute - 40,
      kind: 'created',
      text: 'Made: there was none in the API server.',
    },
    {
      ...moment,
      mirrorUid: '',
      at: fakeNow - 18 * minute - 2 * second,
      kind: 'failed',
      text: 'Not made: connect ECONNREFUSED 127.0.0.1:38213.',
    },
    {
      ...moment,
      mirrorUid: before,
      at: fakeNow - 19 * minute,
      kind: 'unlinked',
      text: 'Gone from the API: deleted by admin with grace 0.',
    },
    { ...moment, mirrorUid: before, at: fakeNow - 34 * minute, kind: 'created', text: 'Made.' },
  ]
  return all.map((entry, index) => ({ ...entry, seq: 900 - index }))
}

const webText = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
  - name: web
    image: nginx:1.28
    ports:
    - containerPort: 80800
    readinessProbe:
      httpGet: {path: /, port: 80}
`

const containerPortProblem = {
  where: 'web.yaml',
  message:
    'spec.containers[0].ports[0].containerPort: Invalid value: 80800: must be between 1 and 65535, inclusive',
  line: 10,
  column: 22,
}

function file(part: Partial<ManifestFile> & { readonly name: string }): ManifestFile {
  return {
    state: 'running',
    namespace: 'kube-system',
    podName: `${part.name.replace('.yaml', '')}-scope-node-1`,
    uid: '',
    problem: null,
    note: '',
    modifiedAt: Date.now() - 28 * 60 * minute,
    hasGoodVersion: false,
    ...part,
  }
}

function folder(isBroken: boolean, readOnlyBecause: string): ManifestsView {
  return {
    cluster: 'sandbox',
    node: 'scope-node-1',
    folder: '/home/ada/.nodescope/manifests',
    isSingleFile: false,
    readOnlyBecause,
    files: [
      file({ name: 'dns-cache.yaml', uid: 'b3bf60b851ebaeb2768b01a32e2ef32f' }),
      file({ name: 'etcd.yaml', uid: 'a226e9fbdfc1c8dd7e7fef4d333f86ed' }),
      file({
        name: 'etcd.yaml.backup',
        state: 'shadowed',
        podName: 'etcd-scope-node-1',
        note: 'etcd.yaml defines kube-system/etcd-scope-node-1 too, and wins.',
      }),
      file({ name: 'log-shipper.yaml', uid: '44ba5ca65651b4f36f1927576dd35436' }),
      file({ name: 'notes', state: 'skipped', podName: '', note: 'A folder is not read.' }),
      file({
        name: 'web.yaml',
        namespace: 'default',
        modifiedAt: Date.now() - 8 * second,
        ...(isBroken
          ? { state: 'rejected', podName: '', problem: containerPortProblem, hasGoodVersion: true }
          : { uid: 'bbdbbd575d47c5d8a629979213e34add' }),
      }),
    ],
    undo: { id: 3, text: 'changed web.yaml' },
    url: {
      url: 'http://127.0.0.1:9200/pods',
      lastAnswer: '200, same bytes',
      polledAt: fakeNow - 4 * second,
      nextPollAt: fakeNow + 16 * second,
      pods: [
        {
          namespace: 'kube-system',
          podName: 'node-exporter-scope-node-1',
          uid: '97893f46e7e13ef37b4c2e0ac60d85ca',
        },
        {
          namespace: 'default',
          podName: 'probe-scope-node-1',
          uid: '8da843ff65205a61374b09b81ed0fa35',
        },
      ],
    },
  }
}

/** The pairs' objects and histories, and the folder of the example. */
export function fillManifests(
  bridge: FakeBridge,
  { isBroken, isReadOnly }: { readonly isBroken: boolean; readonly isReadOnly: boolean },
): void {
  for (const row of bridge.rows) {
    if (row.kind !== 'static') continue
    const hash = row.mirror === 'stale' ? oldWebHash : row.uid
    bridge.setObjects(row.key, {
      pod: podObject(row, row.uid, 'nginx:1.28'),
      mirror:
        row.mirrorUid === null
          ? null
          : mirrorObject(row, hash, row.mirror === 'stale' ? 'nginx:1.27' : 'nginx:1.28'),
      status: null,
    })
    bridge.mirrorHistories.set(row.key, moments(row))
  }
  bridge.manifests = folder(isBroken, isReadOnly ? 'Nodescope was started with --read-only.' : '')
  for (const { name } of bridge.manifests.files)
    bridge.manifestTexts.set(name, isBroken ? webText : webText.replace('80800', '80'))
  const webUid = bridge.rows.find((row) => row.name.startsWith('etcd'))?.uid ?? ''
  if (isBroken) bridge.manifestGoodTexts.set('web.yaml', 'good')
  bridge.manifestCheck = (_, text) => ({
    ok: !text.includes('80800'),
    problems: text.includes('80800') ? [containerPortProblem] : [],
    notSimulated: [],
    pod: text === 'good' ? { namespace: 'kube-system', name: 'etcd', uid: webUid } : null,
    effect: text.includes('80800')
      ? 'Invalid manifest: default/web-scope-node-1 keeps running until the next full scan of the folder, within 20 s, and is then stopped with 30 s grace.'
      : 'default/web-scope-node-1 is stopped with 30 s grace and recreated with a new UID.',
  })
}
