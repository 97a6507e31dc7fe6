import { exitCodeWords } from '../kubernetes/exit-code.ts'
import type { Sentences } from './explanation-sentences.ts'
import { said } from './explanation-sentences.ts'
import { ended, shortId, spanWords, timeWords } from './explanation-words.ts'

const plegWords = {
  ContainerStarted: 'has started',
  ContainerDied: 'has exited',
  ContainerRemoved: 'is gone',
  ContainerChanged: 'is in an unknown state',
} as const

/** Images, sandboxes, containers and PLEG. */
export const runtimeSentences: Pick<
  Sentences,
  | 'image.pulling'
  | 'image.pulled'
  | 'image.failed'
  | 'sandbox.started'
  | 'sandbox.stopped'
  | 'container.created'
  | 'container.started'
  | 'container.notSimulated'
  | 'container.backOff'
  | 'container.killing'
  | 'container.signalled'
  | 'container.exited'
  | 'container.failed'
  | 'pleg.event'
> = {
  'image.pulling': ({ container, image }) =>
    said('7.5', `The image ${image} of container ${container} is being pulled.`),
  'image.pulled': ({ container, image, durationMs, present }) =>
    present
      ? said('7.5', `The image ${image} of container ${container} is already on the node.`)
      : said(
          '7.5',
          `The image ${image} of container ${container} is pulled, which took ${spanWords(durationMs)}.`,
        ),
  'image.failed': ({ container, image, message }) =>
    said('7.5', ended(`The image ${image} of container ${container} cannot be pulled: ${message}`)),
  'sandbox.started': ({ sandboxId, attempt, ip }) =>
    said(
      '7.1',
      `Sandbox ${shortId(sandboxId)} is up (attempt ${attempt})${ip === '' ? '' : ` and gives the pod the address ${ip}`}.`,
    ),
  'sandbox.stopped': ({ sandboxId }) =>
    said('7.6', `Sandbox ${shortId(sandboxId)} is stopped; the pod has no network.`),
  'container.created': ({ container, containerId, attempt }) =>
    said(
      '7.1',
      `Container ${container} is created as ${shortId(containerId)} (attempt ${attempt}).`,
    ),
  'container.started': ({ container, containerId }) =>
    said('7.1', `Container ${container} (${shortId(containerId)}) runs.`),
  'container.notSimulated': ({ container }) =>
    said(
      '7.1',
      `The simulator cannot know what the command of container ${container} does next; the container runs until it is stopped, then exits 0.`,
    ),
  'container.backOff': ({ container, delayMs, until }) =>
    said(
      '7.4',
      `Container ${container} keeps exiting; the back-off delays its restart until ${timeWords(until)}, for ${spanWords(delayMs)}.`,
    ),
  'container.killing': ({ container, gracePeriodSeconds, why }) =>
    said(
      '7.6',
      ended(
        `The kubelet stops container ${container} with ${gracePeriodSeconds} s between SIGTERM and SIGKILL${why === '' ? '' : `: ${why}`}`,
      ),
    ),
  'container.signalled': ({ container, signal }) =>
    signal === 'SIGTERM'
      ? said('7.6', `The runtime sends SIGTERM to container ${container}.`)
      : said('7.6', `The runtime sends SIGKILL to container ${container}.`),
  'container.exited': ({ container, exitCode, reason }) => {
    const words = exitCodeWords(exitCode)
    const all = [reason, words].filter((part) => part !== '').join(', ')
    return said('7.6', `Container ${container} exited ${exitCode}${all === '' ? '' : ` (${all})`}.`)
  },
  'container.failed': ({ container, reason, message }) =>
    said('7.8', ended(`Container ${container} could not be started: ${reason}, ${message}`)),
  'pleg.event': ({ type, containerId }) =>
    said(
      '7.14',
      `PLEG lists containers and sandboxes and finds that ${shortId(containerId)} ${plegWords[type]}.`,
    ),
}
