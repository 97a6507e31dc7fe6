import { assertNever } from '../../assert-never.ts'
import type { TraceSubject } from '../trace-event.ts'

/** `4 ms`, `1.2 s`, `61 s`. */
export function spanWords(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  return seconds < 10 && !Number.isInteger(seconds)
    ? `${seconds.toFixed(1)} s`
    : `${Math.round(seconds)} s`
}

/** `, with 30 s of grace`, or nothing. */
export function graceWords(seconds: number | null): string {
  return seconds === null ? '' : `, with ${seconds} s of grace`
}

/** Enough of an id to tell it from others: 13 characters of a container's, as crictl prints it, `327704f2…8d1a` of a UID. */
export function shortId(id: string): string {
  if (/^[0-9a-f]{40,}$/.test(id)) return id.slice(0, 13)
  return id.length <= 13 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`
}

/** `two pods`: small numbers as words. */
export function podCount(count: number): string {
  const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
  return `${words[count] ?? count} ${count === 1 ? 'pod' : 'pods'}`
}

/** What an event is about: `default/web`, `pods default/web`, `the node`. */
export function subjectWords(subject: TraceSubject): string {
  switch (subject.kind) {
    case 'pod':
      return `${subject.namespace}/${subject.name}`
    case 'object': {
      const { resource, namespace, name } = subject
      return `${resource} ${namespace === '' ? name : `${namespace}/${name}`}`
    }
    case 'source':
      return `the ${subject.source} source`
    case 'node':
      return 'the node'
    case 'cluster':
      return 'the cluster'
    default:
      return assertNever(subject, 'subject')
  }
}

/** The text as the end of a sentence: one full stop, whether it had one or not. */
export function ended(text: string): string {
  const trimmed = text.trimEnd()
  return /[.?!…]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

/** `its name is taken` as a sentence: with a capital and a full stop; empty stays empty. */
export function sentence(text: string): string {
  return text === '' ? '' : ended(capitalized(text))
}

export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** A message of the server or the kubelet as part of a sentence: without its full stop. */
export function clause(message: string): string {
  return message.replace(/\.+$/, '')
}
