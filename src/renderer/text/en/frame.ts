import { common } from './common.ts'

/** The keys, by where they work. */
function keyGroups(palette: string): readonly {
  readonly title: string
  readonly keys: readonly (readonly [action: string, ...keys: readonly string[]])[]
}[] {
  return [
    {
      title: 'Everywhere',
      keys: [
        ['search or run', palette],
        ['Flow, Pods, Mirror pods, Manifests, Nodes', '1', '2', '3', '4', '5'],
        ['Kubelet log, Gotchas, Handbook, Workloads', '7', '8', '9', 'O'],
        ['Timeline, Events, Pressure', 'T', 'U', 'I'],
        ['open or close the handbook panel', 'H'],
        ['inspect the chosen node of a cluster that is only looked at', '6'],
        ['choose the node', 'N'],
        ['switch or open a cluster', 'Ctrl O'],
        ['allow changes of a cluster that is only looked at, its rights', 'Shift A', 'R'],
        ['Apply YAML…', 'Shift Y'],
        ['pause or run the clock', 'P'],
        ['step to the next event', '.'],
        ['slower, faster', '-', '+'],
        ['close, one layer at a time', 'Esc'],
        ['these keys', '?'],
      ],
    },
    {
      title: common.views.flow,
      keys: [
        ['open a part', 'Enter'],
        ['replay the followed cause, and back', '.', ','],
      ],
    },
    {
      title: 'Rows of Pods and Nodes',
      keys: [
        ['select up to the next row', 'Shift ↓', 'Shift ↑'],
        ['select the row', 'Space'],
        ['select all rows, none', 'Ctrl A', 'Esc'],
      ],
    },
    {
      title: 'Pods and Mirror pods',
      keys: [
        ['move through the lines', 'J', 'K', '↓', '↑'],
        ['first and last line', 'Home', 'End'],
        ['a screen up and down', 'PageUp', 'PageDown'],
        ['open the pod’s panel', 'Enter'],
        ['to its mirror, and back', 'G', 'M'],
        ['filter the pods; !word hides', '/'],
        ['Kill…', 'X'],
        ['Evict through the API…', 'E'],
        ['Evict by the kubelet…', 'Shift E'],
        ['Delete…, of a static pod its mirror', 'D'],
        ['Delete by force…', 'Shift D'],
      ],
    },
    {
      title: 'The panel of a pod',
      keys: [
        ['from tab to tab', '←', '→'],
        ['Why is it still here?', 'W'],
        ['Restart a container…', 'R'],
        ['Behavior of a container…', 'B'],
        ['YAML of its objects', 'Y'],
        ['History: cause, effect', '[', ']'],
        ['Volumes and environment: go to what is missing', 'M'],
        ['show or hide the value of a Secret', 'V'],
        ['copy the kubectl line that creates what is missing', 'C'],
      ],
    },
    {
      title: common.views.handbook,
      keys: [
        ['previous and next section', '[', ']'],
        ['search the handbook', '/'],
        ['move through the results', '↓', '↑'],
        ['open the result', 'Enter'],
        ['open it next to the pods', 'Shift Enter'],
      ],
    },
    {
      title: common.views.manifests,
      keys: [
        ['save', 'Ctrl S'],
        ['switch whether Tab indents or moves focus', 'Ctrl M'],
      ],
    },
  ]
}

export const frame = {
  name: 'Nodescope',
  skip: 'Skip to the view',
  views: 'Views',
  learn: 'Learn',
  findTitle: (key: string) => `Search or run (${key})`,
  keysTitle: 'Keys (?)',
  readOnly: 'read-only',
  readOnlyTitle: 'Started with --read-only: actions are disabled.',
  badges: {
    mirrorsUnknown: 'unknown while the API server is unreachable',
    mirrors: (count: number) => `${count} out of sync`,
    rights: (count: number) => `${count} missing`,
    manifests: (count: number) => `${count} ${count === 1 ? 'is' : 'are'} rejected by the kubelet`,
  },
  clock: {
    label: 'Clock',
    utc: 'UTC',
    run: 'Run',
    pause: 'Pause',
    toggleTitle: (action: string) => `${action} (P)`,
    step: 'Step',
    stepLabel: 'Step to the next event',
    stepTitle: 'Step to the next event (.); pauses first',
    lost: 'The page lost its connection to Nodescope; the clock is unavailable.',
    speed: 'Speed',
    speedTitle: 'Slower (-), faster (+)',
    times: (factor: number) => `${factor}×`,
    achieved: ' achieved',
    achievedTitle: (speed: number, achieved: number | null) =>
      `This machine cannot run the sandbox at ${speed}×: measured over the last second, it reaches ${achieved}×. No event is left out.`,
    log: 'end of the log',
    logTitle: (time: string) => `${time}\nThe last line of the log that was read.`,
    system: 'system clock',
    systemTitle: (time: string) =>
      `${time}\nThis cluster runs on the system clock, which cannot be paused. Only a sandbox has its own clock.`,
    sandboxTitle: (time: string, paused: boolean, speed: number) =>
      `${time}\nThe sandbox’s own clock, ${paused ? 'paused' : `${speed}×`}`,
    ahead: (lead: string) => `${lead} ahead of the wall clock`,
    /** The sandbox's server computes the ages of `kubectl get`, as every server does. */
    aheadNote: (lead: string) =>
      `This clock is ${lead} ahead of the wall clock. kubectl get shows the server’s ages, the same as here. kubectl itself computes the ages in kubectl describe and kubectl events, from the wall clock: they are ${lead} less, and <invalid> for the last ${lead}.`,
    dismissNote: 'Dismiss the note',
  },
  keyGroups,
  keys: {
    all: 'All keys',
    rule: 'Action keys open a dialog with the focus on Cancel. While you type, only the palette key works.',
  },
  settings: {
    theme: 'Theme',
    themeTitle: (theme: string) => `Theme: ${theme}`,
    themeRule: 'System follows the desktop’s light, dark or high-contrast setting.',
    stored: 'Stored in this browser',
    storedRule:
      'The theme, the columns and the order of your tables, your last palette choices, and that you have seen the start page and dismissed the note on kubectl’s ages. No cluster data is stored.',
    cleared: 'Nothing is stored.',
    keysRule: 'Every action has a key; a letter opens a dialog and never acts at once.',
    version: (version: string, host: string) => `Nodescope ${version}, ${host} host`,
  },
  nodes: {
    list: 'Nodes',
    choose: 'Choose the node (N)',
    find: 'Find a node',
    findPlaceholder: 'name, status or cluster',
    none: 'No matches.',
    attention: (count: number) => `${count} ${count === 1 ? 'needs' : 'need'} attention`,
    title: (name: string, status: string, runtime: string) =>
      `node ${name}, ${status}, runtime ${runtime}`,
    off: 'machine off',
    stopped: 'kubelet stopped',
    shuttingDown: 'shutting down',
    cutOff: 'cut off',
    asOf: (status: string, time: string) => `${status}, as of ${time}`,
    fromLog: 'from a log',
    notRegistered: 'not registered yet',
  },
  clusters: {
    pageLost: 'page disconnected',
    connected: 'connected',
    connecting: 'connecting',
    waiting: 'waiting',
    cutOff: 'nodes cut off',
    unreachable: 'API server unreachable',
  },
  links: {
    close: 'Close the notice',
    noPod: (uid: string) =>
      `The link leads to the pod with UID ${uid}, which does not exist here: it was deleted, or the link is from an earlier start.`,
    noPage: (hash: string) => `The link ${hash} is not a page of Nodescope.`,
    noNode: (node: string, cluster: string) =>
      `The link leads to the node ${node} of ${cluster}, which does not exist here.`,
    noSection: (section: string) =>
      `The link leads to the section ${section}, which the handbook does not have.`,
    noNamedPod: (name: string) => `Pod ${name} (from --pod) does not exist yet.`,
  },
  connection: {
    lost: 'The connection to Nodescope is lost.',
    noToken: 'Access token missing: open the full address that Nodescope printed.',
    lostBefore: (advice: string) =>
      `The connection to Nodescope was lost before it responded. ${advice}`.trim(),
    checkPod: 'Check the pod before you retry.',
    checkNode: 'Check the node before you retry.',
    checkFile: 'Check the file.',
    noCluster: 'No cluster is known yet.',
    savingRecreates: ' Saving now creates the file again.',
  },
  /** Names of requests, for the notice about those that failed. */
  requests: {
    manifests: 'list of manifests',
    manifest: 'manifest',
    lastGood: 'last valid version',
    manifestCheck: 'check of the manifest',
    podObjects: 'objects of the pod',
    podEvents: 'events of the pod',
    pair: 'objects of the pair',
    pod: 'pod',
    followedEvent: 'followed event',
    flow: 'flow',
    gotchas: 'gotchas',
    scenarios: 'scenarios',
  },
  error: {
    title: 'Page error',
    rule: 'The node and its pods are not affected; only this page failed. The program’s log has the error.',
    reload: 'Reload view',
  },
}
