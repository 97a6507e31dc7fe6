/** What is measured, by which program, and what its figures mean. `aim` is the issue's, where it has one. */
export const measures = [
  {
    name: 'cold-start',
    kind: 'script',
    program: 'cold-start',
    args: [],
    title: 'Spawn of the built program to the first pod painted',
    figures: {
      listeningMs: { unit: 'ms', title: 'address printed' },
      firstRowMs: { unit: 'ms', title: 'first pod painted', aim: '< 1000' },
    },
  },
  {
    name: 'add-to-running',
    kind: 'program',
    program: 'add-to-running',
    args: ['1000'],
    title: '1,000 pods, ADD to Running written, system clock',
    figures: {
      seconds: { unit: 's', title: 'until the last is written' },
      podsPerSecond: { unit: 'pods/s', title: 'rate' },
      cpuSeconds: { unit: 's', title: 'processor time' },
      requests: { unit: '', title: 'requests to the server' },
    },
  },
  {
    name: 'sandbox-rates',
    kind: 'program',
    program: 'sandbox-rates',
    args: ['10000'],
    title: 'The sandbox’s API server, 10,000 pods, over HTTPS',
    figures: {
      createsPerSecond: { unit: 'pods/s', title: 'creates, 16 at a time' },
      listMs: { unit: 'ms', title: 'list of all, read and parsed' },
      listObjectsPerSecond: { unit: 'pods/s', title: 'list rate' },
      watchEventsPerSecond: { unit: 'events/s', title: 'watch, read and parsed' },
    },
  },
  {
    name: 'heap-per-pod',
    kind: 'program',
    program: 'heap-per-pod',
    args: ['2000'],
    runs: 3,
    title: 'Heap per running pod, 2,000 pods',
    figures: {
      agentBytesPerPod: { unit: 'B', title: 'agent without the sandbox', aim: '< 10000' },
      sandboxBytesPerPod: { unit: 'B', title: 'sandbox' },
      agentIdleBytes: { unit: 'B', title: 'agent without pods' },
    },
  },
  {
    name: 'virtual-hour',
    kind: 'program',
    program: 'virtual-hour',
    args: ['200'],
    title: 'A virtual hour of a sandbox with 200 pods',
    figures: {
      seconds: { unit: 's', title: 'real time', aim: '< 3.6' },
      timesRealTime: { unit: '×', title: 'faster than real time', aim: '> 1000' },
      events: { unit: '', title: 'trace events' },
    },
  },
  {
    name: 'renderer',
    kind: 'script',
    program: 'renderer',
    args: [],
    runs: 3,
    title: '10,000 rows, 1,000 updates a second, while scrolling, in Chromium',
    figures: {
      framesPerSecond: { unit: 'fps', title: 'frames', aim: '60' },
      mainThreadMsPerFrame: { unit: 'ms', title: 'main thread per frame', aim: '< 3' },
      scriptMsPerFrame: { unit: 'ms', title: 'of it script' },
      updatesPerSecond: { unit: '/s', title: 'updates sent' },
      longestFrameMs: { unit: 'ms', title: 'longest frame' },
      idleMainThreadMsPerFrame: {
        unit: 'ms',
        title: 'main thread per frame, same without updates',
      },
    },
  },
]
