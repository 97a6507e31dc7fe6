import type { ReactNode } from 'react'
import { capitalized } from '../../../shared/model/explanation/explanation-words.ts'
import { common } from './common.ts'
import { counted, countOf } from './plural.ts'

interface Counts {
  readonly nodes: number
  /** The name of the shown node. */
  readonly node: string
  /** All its pods. */
  readonly pods: number
  /** Static pods by their source, and regular pods. */
  readonly file: number
  readonly http: number
  readonly regular: number
}

/** `One node, two static pods from a folder, two ordinary pods.`; of several nodes, `Three nodes. On scope-node-2: one ordinary pod.` */
function summary({ nodes, node, pods, file, http, regular }: Counts): string {
  const parts = [
    file === 0 ? '' : `${countOf(file, 'static pod')} from a folder`,
    http === 0 ? '' : `${countOf(http, 'static pod')} from a URL`,
    regular === 0 ? '' : countOf(regular, 'ordinary pod'),
    pods === 0 ? 'no pods yet' : '',
  ]
  const list = parts.filter((part) => part !== '').join(', ')
  return capitalized(`${countOf(nodes, 'node')}${nodes < 2 ? ', ' : `. On ${node}: `}${list}.`)
}

export const start = {
  loading: 'Loading.',
  title: (cluster: string) => (cluster === '' ? 'A cluster is running.' : `A node of ${cluster}.`),
  summary,
  sandbox: 'Nothing outside Nodescope is affected.',
  server: (url: string) => `The API server is ${url}.`,
  ownKubeconfig: (context: ReactNode) => (
    <>
      kubectl reaches this cluster through your own kubeconfig, context {context}: what it does
      shows here at once.
    </>
  ),
  copyExport: 'Copy the export line',
  copy: 'Copy',
  paste: 'Paste it into a terminal and use your own kubectl. Changes show on both sides at once.',
  toTry: (lessons: number) => `${capitalized(countOf(lessons, 'thing'))} to try`,
  doIt: 'Do it for me',
  here: {
    title: 'Current pods',
    none: 'No pods yet.',
    all: (pods: number) => `All ${common.pods(pods)}`,
    open: 'Open the pods',
    orphanedMirror: 'a mirror without its static pod',
    noMirror: 'no mirror: regular pod',
    mirror: 'has its mirror',
  },
  mirror: {
    title: 'Delete a mirror pod',
    words:
      'The kubelet recreates it with a new UID. The container keeps its start time: only the API object was deleted.',
    ask: 'Delete the mirror…',
    time: 'about a second',
    show: 'Show pod',
    deleted: 'deleted; the kubelet recreates it',
    started: (before: string, after: string) =>
      `container started ${before}${before === after ? ', before and after' : ` before, ${after} after`}`,
    picture: {
      static: 'static pod',
      runs: 'keeps running',
      deleted: 'deleted',
      recreated: 'recreated',
      newUid: 'with a new UID',
    },
  },
  grace: {
    title: 'Count down a grace period',
    words: (pod: string) =>
      pod === 'loud'
        ? 'loud ignores SIGTERM, so SIGKILL ends it after five seconds: exit code 137.'
        : `${pod} gets SIGTERM at once, and SIGKILL after five seconds unless it exits first.`,
    ask: 'Delete it with 5 s…',
    tryWith: (pod: string) => `Try it with ${pod}`,
    time: 'about 6 s',
    recreate: (pod: string) => `Recreate ${pod}:`,
    requested: 'deletion requested; the kubelet sends SIGTERM next',
    left: 'Grace left',
    toKill: (left: number) => (left === 0 ? common.sigkill : `to ${common.sigkill}`),
    exited: (code: number) => `exit code ${code}; its object is deleted next`,
    /** `code`: null when the exit was not seen. */
    gone: (pod: string, code: number | null) => {
      if (code === null) return `${pod} has stopped, and its object is gone.`
      if (code === 137) return `${pod} exited with code 137: SIGKILL. Its object is gone.`
      return `${pod} exited ${code} before SIGKILL. Its object is gone.`
    },
    picture: { seconds: 'seconds' },
  },
  clock: {
    title: 'Stop the clock',
    words:
      'Pause, then step from event to event and watch each one pass through the kubelet. kubectl keeps answering.',
    stepped: (steps: number) => `${counted(steps, 'step')} taken, and the clock runs again.`,
    run: 'Run it',
    runTitle: 'Run (P)',
    pause: 'Pause it',
    pauseTitle: 'Pause (P)',
    pauseKey: 'P',
    step: 'Step on',
    stepKey: '.',
    picture: {
      stopped: 'stopped',
      watch: 'watch',
      merge: 'merge',
      sync: 'sync',
      next: 'next',
      kubectl: 'kubectl keeps answering',
    },
  },
  manifest: {
    title: 'Edit a manifest',
    words:
      'Change a file here and save it. The new version has a new UID and waits until the old pod of its name has stopped.',
    edit: 'Edit it here',
    elsewhere: 'or in your own editor: the folder is watched',
    picture: { old: 'old UID', new: 'new UID', saved: 'saved', free: 'the name is free' },
  },
}
