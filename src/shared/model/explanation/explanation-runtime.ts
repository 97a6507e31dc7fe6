import { exitCodeWords } from '../../kubernetes/printers/exit-code.ts'
import { timeOfDay } from '../../kubernetes/timestamps.ts'
import type { EventTable } from './event-words.ts'
import { shortId, spanWords } from './explanation-words.ts'

const plegWords = {
  ContainerStarted: 'has started',
  ContainerDied: 'has exited',
  ContainerRemoved: 'is gone',
  ContainerChanged: 'is in an unknown state',
  ConditionMet: '',
} as const

const resourceWords = { cpu: 'CPU', memory: 'memory' } as const

/** Images, sandboxes, containers and PLEG. */
export const runtimeEvents = {
  'image.pulling': {
    section: 'images#pull-policy',
    word: 'PullImage',
    step: ({ image }) => `pulls ${image}`,
    sentence: ({ container, image }) =>
      `The image ${image} of container ${container} is being pulled.`,
  },
  'image.pulled': {
    section: 'images#pull-policy',
    word: ({ present }) => (present ? 'present' : 'pulled'),
    step: ({ image, present }) => `${image} ${present ? 'is present' : 'is pulled'}`,
    sentence: ({ container, image, durationMs, present }) =>
      present
        ? `The image ${image} of container ${container} is already on the node.`
        : `The image ${image} of container ${container} is pulled, which took ${spanWords(durationMs)}.`,
  },
  'image.failed': {
    section: 'images#pull-policy',
    word: 'no image',
    step: ({ image }) => `no ${image}`,
    sentence: ({ container, image, message }) =>
      `The image ${image} of container ${container} cannot be pulled: ${message}`,
  },
  'image.removed': {
    section: 'images#garbage-collection',
    word: 'RemoveImage',
    step: ({ image }) => `removes ${image}`,
    sentence: ({ image, sizeBytes, reason }) =>
      `The image ${image} (${Math.round(sizeBytes / 1e6)} MB) is removed from the node: no container uses it${reason === 'age' ? ', and it was not used for too long' : ', and the disk is too full'}.`,
  },
  'sandbox.started': {
    section: 'containers#runtime-sync',
    word: 'RunPodSandbox',
    step: (_, name) => `pod sandbox of ${name} starts`,
    sentence: ({ sandboxId, attempt, ip }) =>
      `Sandbox ${shortId(sandboxId)} is up (attempt ${attempt})${ip === '' ? '' : ` and gives the pod the address ${ip}`}.`,
  },
  'sandbox.stopped': {
    section: 'termination#stopping-containers',
    word: 'StopPodSandbox',
    step: (_, name) => `pod sandbox of ${name} stops`,
    sentence: ({ sandboxId }) =>
      `Sandbox ${shortId(sandboxId)} is stopped; the pod has no network.`,
  },
  'container.created': {
    section: 'containers#runtime-sync',
    word: 'CreateContainer',
    step: ({ container }) => `container ${container} is created`,
    sentence: ({ container, containerId, attempt }) =>
      `Container ${container} is created as ${shortId(containerId)} (attempt ${attempt}).`,
  },
  'container.resized': {
    section: 'containers#in-place-resize',
    word: 'UpdateContainerResources',
    step: ({ container, resource }) =>
      `container ${container} gets other ${resourceWords[resource]}`,
    sentence: ({ container, containerId, resource }) =>
      `The runtime changes the ${resourceWords[resource]} of container ${container} (${shortId(containerId)}) while it runs.`,
  },
  'container.started': {
    section: 'containers#runtime-sync',
    word: 'StartContainer',
    step: ({ container }) => `container ${container} starts`,
    sentence: ({ container, containerId }) =>
      `Container ${container} (${shortId(containerId)}) runs.`,
  },
  'container.notSimulated': {
    section: 'containers#runtime-sync',
    sentence: ({ container }) =>
      `The simulator cannot know what the command of container ${container} does next; the container runs until it is stopped, then exits 0.`,
  },
  'container.backOff': {
    section: 'containers#back-off',
    sentence: ({ container, delayMs, until }) =>
      `Container ${container} keeps exiting; the back-off delays its restart until ${timeOfDay(until)}, for ${spanWords(delayMs)}.`,
  },
  'container.killing': {
    section: 'termination#stopping-containers',
    word: 'StopContainer',
    step: ({ container, gracePeriodSeconds }) =>
      `StopContainer ${container}, grace ${gracePeriodSeconds} s`,
    sentence: ({ container, gracePeriodSeconds, why }) =>
      `The kubelet stops container ${container} with ${gracePeriodSeconds} s between SIGTERM and SIGKILL${why === '' ? '' : `: ${why}`}`,
  },
  'container.signalled': {
    section: 'termination#stopping-containers',
    word: ({ signal }) => signal,
    step: ({ signal, container }) => `${signal} to container ${container}`,
    sentence: ({ container, signal }) => `The runtime sends ${signal} to container ${container}.`,
  },
  'container.exited': {
    section: 'termination#stopping-containers',
    sentence: ({ container, exitCode, reason }) => {
      const all = [reason, exitCodeWords(exitCode)].filter((part) => part !== '').join(', ')
      return `Container ${container} exited ${exitCode}${all === '' ? '' : ` (${all})`}.`
    },
  },
  'container.removed': {
    section: 'containers#garbage-collection',
    word: 'RemoveContainer',
    step: ({ container }) => `removes dead container ${container}`,
    sentence: ({ container, containerId }) =>
      `The dead container ${container} (${shortId(containerId)}) is removed from the runtime, with its log.`,
  },
  'container.failed': {
    section: 'containers#reasons',
    sentence: ({ container, reason, message }) =>
      `Container ${container} could not be started: ${reason}, ${message}`,
  },
  'hook.started': {
    section: 'containers#lifecycle-hooks',
    word: ({ hook }) => hook,
    step: ({ hook, container }) => `${hook} hook of container ${container} starts`,
    sentence: ({ container, hook, handler }) =>
      hook === 'postStart'
        ? `The postStart hook (${handler}) of container ${container} runs; the kubelet waits for it before it starts the next container.`
        : `The preStop hook (${handler}) of container ${container} runs; its time counts against the grace period, and SIGTERM follows it.`,
  },
  'hook.ended': {
    section: 'containers#lifecycle-hooks',
    word: ({ hook, failed }) => (failed ? `${hook} failed` : hook),
    step: ({ hook, container, failed }) =>
      `${hook} hook of container ${container} ${failed ? 'failed' : 'ended'}`,
    sentence: ({ container, hook, failed, durationMs }) =>
      failed
        ? `The ${hook} hook of container ${container} failed after ${spanWords(durationMs)}${hook === 'postStart' ? '; the kubelet kills the container' : '; the container is stopped all the same'}.`
        : `The ${hook} hook of container ${container} ended after ${spanWords(durationMs)}.`,
  },
  'probe.failed': {
    section: 'containers#probes',
    word: ({ probe }) => `${probe} probe`,
    step: ({ probe, container, outcome }) => `${probe} probe of ${container}: ${outcome}`,
    sentence: ({ container, outcome, message }) =>
      outcome === 'error'
        ? `A probe of container ${container} could not be run, so its result does not count: ${message}`
        : outcome === 'warning'
          ? `A probe of container ${container} succeeded with a warning: ${message}`
          : `A probe of container ${container} failed: ${message}`,
  },
  'probe.resultChanged': {
    section: 'containers#probes',
    word: ({ probe, result }) => `${probe} ${result}`,
    cause: ({ probe, result }, name) => `${probe} ${result} of ${name}`,
    step: ({ probe, container, result }) => `${probe} of ${container} is ${result}`,
    sentence: ({ container, containerId, probe, result }) =>
      result === 'unknown'
        ? `The ${probe} probe of container ${container} (${shortId(containerId)}) has not run yet.`
        : `The ${probe} probe of container ${container} (${shortId(containerId)}) now says ${result}.`,
  },
  'volume.mounted': {
    section: 'containers#volumes',
    word: 'mounted',
    step: ({ volume }) => `volume ${volume} is mounted`,
    sentence: ({ volume, plugin }) => `Volume ${volume} (${plugin}) is set up.`,
  },
  'volume.updated': {
    section: 'containers#volumes',
    word: 'updated',
    step: ({ volume }, name) => `files of volume ${volume} of ${name} change`,
    sentence: ({ volume }) =>
      `The files of volume ${volume} changed; containers see them, except through a subPath.`,
  },
  'volume.failed': {
    section: 'containers#volumes',
    word: 'not mounted',
    step: ({ volume }) => `volume ${volume} is not mounted`,
    sentence: ({ volume, message }) =>
      `Volume ${volume} could not be set up; the containers of the pod wait for it: ${message}`,
  },
  'volume.unmounted': {
    section: 'containers#volumes',
    word: 'unmounted',
    step: ({ volume }) => `volume ${volume} is unmounted`,
    sentence: ({ volume }) => `Volume ${volume} is removed from the node.`,
  },
  'pleg.event': {
    section: 'containers#pleg',
    word: ({ type }) => type,
    step: ({ type }, name) => `PLEG sees ${type} of ${name}`,
    sentence: ({ type, containerId }) =>
      type === 'ConditionMet'
        ? 'PLEG inspects the pod again after a resize of its containers, and the pod is synced.'
        : `PLEG lists containers and sandboxes and finds that ${shortId(containerId)} ${plegWords[type]}.`,
  },
} satisfies Partial<EventTable>
