import { createRoot } from 'react-dom/client'
import { nodeActs } from '../../shared/model/node-act.ts'
import { ok } from '../../shared/result.ts'
import { App } from '../app/App.tsx'
import { FakeBridge } from '../bridge/fake-bridge.ts'
import { fakeFlow } from '../bridge/fake-flow.ts'
import { fakeNow } from '../bridge/fake-views.ts'
import type { DrawerTab } from '../store/slices/detail-slice.ts'
import { isDrawerTab } from '../store/slices/detail-slice.ts'
import { afterPaint } from '../store/feeds/after-paint.ts'
import { createStore } from '../store/create-store.ts'
import { StoreProvider } from '../store/store-context.ts'
import '../styles/base.css'
import '../styles/tokens.css'
import { fillDrawers } from './drawer-example.ts'
import { fillManifests } from './manifests-example.ts'
import { gotchas, openGotcha, rowsOfNodes, withNodes } from './nodes-example.ts'
import { movedFlow, exampleChain, exampleFlow, withHttp } from './flow-example.ts'
import {
  loopEntries,
  manyRows,
  startRows,
  exampleCluster,
  exampleDetails,
  exampleRows,
} from './example.ts'

// The page with an example in memory: ?theme= ?scene= ?view=flow ?follow ?part= ?open= ?tab= ?act= ?still
// ?nodes=12 ?node= ?all-nodes ?menu ?node-act=shutDown ?gotcha
function tabOf(word: string): DrawerTab | undefined {
  return isDrawerTab(word) ? word : undefined
}

const query = new URLSearchParams(location.search)
const scene = query.get('scene') ?? 'pods'
document.documentElement.dataset['theme'] = query.get('theme') ?? 'dark'

const rows =
  scene === 'start' || scene === 'trouble-start'
    ? startRows
    : scene === 'many'
      ? manyRows()
      : scene === 'empty'
        ? []
        : exampleRows
const plain = withHttp(exampleCluster())
const broken = {
  ...plain,
  nodes: plain.nodes.map((node) => ({
    ...node,
    sources: node.sources.map((source) =>
      source.source === 'file'
        ? {
            ...source,
            problems: [
              {
                where: '/home/ada/.nodescope/manifests/web.yaml',
                message:
                  'spec.containers[0].ports[0].containerPort: Invalid value: 80800: must be between 1 and 65535, inclusive',
                line: 10,
                column: 22,
              },
            ],
          }
        : source,
    ),
  })),
}
const away = {
  ...broken,
  connection: {
    kind: 'away',
    since: Date.now() - 45_000,
    retryAt: Date.now() + 7000,
    message: 'connect ECONNREFUSED 127.0.0.1:38213',
  },
} as const
const cluster =
  scene === 'trouble'
    ? away
    : scene.startsWith('broken') || scene === 'trouble-start'
      ? broken
      : plain
const nodes = Number(query.get('nodes') ?? '1')
const bridge = new FakeBridge({
  rows: nodes > 1 ? [...rows, ...rowsOfNodes(nodes)] : rows,
  clusters: [withNodes(cluster, nodes)],
  readOnly: query.has('read-only'),
})
bridge.gotchas = gotchas
bridge.openScenarioAnswer = () => {
  setTimeout(() => bridge.open(openGotcha.cluster, openGotcha.rows), 50)
  return ok({ cluster: openGotcha.cluster.id })
}
for (const detail of exampleDetails(rows)) bridge.tell(detail)
fillDrawers(bridge)
fillManifests(bridge, {
  isBroken: scene.startsWith('broken'),
  isReadOnly: query.has('read-only'),
})
bridge.flow = rows.length === 0 ? fakeFlow() : exampleFlow()
bridge.chains.set(exampleChain.seq, exampleChain)

bridge.actAnswer = (name, key, grace) => {
  const row = bridge.rows.find((candidate) => candidate.key === key)
  if (row !== undefined) {
    const seconds = grace ?? 30
    bridge.patch({
      upserts: [
        {
          ...row,
          worker: 'TerminatingPod',
          grace: { seconds, startedAt: storyTime(), killAt: storyTime() + seconds * 1000 },
        },
      ],
    })
  }
  return ok({
    act: 'kill',
    message: `${name} of ${row?.name ?? key} was begun, ${grace ?? 30} s grace`,
  })
}

const begun = performance.now()
function storyTime(): number {
  return fakeNow + (query.has('still') ? 0 : performance.now() - begun)
}

const memory = new Map<string, string>(
  scene.includes('start') ? [] : [['nodescope.seen-start', 'yes']],
)
const store = createStore({
  bridge,
  storage: {
    getItem: (key) => memory.get(key) ?? null,
    setItem: (key, value) => memory.set(key, value),
  },
  afterPaint,
  monotonic: () => (query.has('still') ? 0 : performance.now()),
  wallClock: () => Date.now(),
})
store.start()
store.state.subscribe((now, before) => {
  if (now.theme !== before.theme && now.theme !== 'system')
    document.documentElement.dataset['theme'] = now.theme
})
const root = document.getElementById('root')
if (root === null) throw new Error('no #root')
createRoot(root).render(
  <StoreProvider value={store}>
    <App />
  </StoreProvider>,
)

const view = query.get('view')
if (view === 'flow' || view === 'mirrors' || view === 'manifests' || view === 'gotchas')
  store.state.getState().show(view)
else if (!scene.includes('start')) store.state.getState().show('pods')
const onNode = query.get('node')
const nodeAct = nodeActs.find((name) => name === query.get('node-act'))
setTimeout(() => {
  const state = store.state.getState()
  if (onNode !== null) state.showNode({ cluster: 'sandbox', node: onNode })
  if (query.has('all-nodes')) state.setPodScope('cluster')
  if (query.has('menu')) state.setNodesOpen(true)
  if (nodeAct !== undefined)
    state.askNodeAct({
      kind: 'node',
      act: nodeAct,
      node: { cluster: 'sandbox', node: onNode ?? 'scope-node-1' },
    })
  if (query.has('gotcha')) void state.openScenario({ kind: 'shipped', name: 'mirror-comes-back' })
}, 100)
const pane = query.get('pane')
setTimeout(() => {
  const state = store.state.getState()
  if (pane === 'history') state.setPairPane(pane)
  const named = query.get('name')
  if (named !== null) state.showManifest(named)
  if (query.has('edit') && named !== null)
    state.editManifest(named, `${state.manifestText?.text ?? ''}# edited\n`)
}, 150)
if (query.has('follow'))
  setTimeout(() => {
    const [root] = exampleFlow().roots ?? []
    if (root !== undefined)
      store.state.getState().setFollow({ kind: 'cause', cluster: 'sandbox', ...root })
  }, 50)
const part = query.get('part')
if (part !== null)
  setTimeout(
    () =>
      document
        .querySelector(`[data-part='${part}']`)
        ?.dispatchEvent(new MouseEvent('click', { bubbles: true })),
    200,
  )

const opened = bridge.rows.find((row) => row.name.startsWith(query.get('open') ?? '-'))
const act = query.get('act')
setTimeout(() => {
  if (opened === undefined) return
  store.state.getState().openDrawer(opened.key, tabOf(query.get('tab') ?? ''))
  if (act === 'kill' || act === 'evictByKubelet' || act === 'evictThroughApi')
    store.state.getState().askAct({
      act,
      key: opened.key,
      graceSeconds: query.has('grace') ? Number(query.get('grace')) : null,
    })
}, 50)
if (query.has('lost')) setTimeout(() => bridge.lose(), 300)
if (query.has('toast'))
  setTimeout(
    () => store.state.getState().addToast('Killing cache-5b8f7d6c9-zl4wd, 10 s grace'),
    300,
  )
if (!query.has('still'))
  setInterval(() => {
    const now = storyTime()
    if (bridge.flow !== null) bridge.tellFlow(movedFlow(bridge.flow, now))
    bridge.patch({
      now: { sandbox: now },
      clusters: bridge.clusters.slice(0, 1).map((view) => ({
        ...view,
        clock: { ...view.clock, now },
        loops: [{ node: 'scope-node-1', iterations: 18_204, recent: loopEntries(now) }],
      })),
    })
  }, 1000)
if (scene === 'many')
  setInterval(() => {
    const all = rows.length
    const first = Math.floor(Math.random() * all)
    bridge.patch({
      upserts: Array.from({ length: 33 }, (_, index) => rows[(first + index * 97) % all])
        .filter((row) => row !== undefined)
        .map((row) => ({ ...row, restarts: Math.floor(Math.random() * 9) })),
    })
  }, 33)
