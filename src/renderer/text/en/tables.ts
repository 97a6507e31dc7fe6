import type { RowsAct } from '../../../shared/model/forecast/rows-forecast.ts'
import type { TableKind } from '../../store/tables/column-ids.ts'

const one: Readonly<Record<TableKind, string>> = { pods: 'pod', nodes: 'node' }

function counted(kind: TableKind, count: number): string {
  return `${count} ${one[kind]}${count === 1 ? '' : 's'}`
}

const verbs: Readonly<Record<RowsAct, string>> = {
  delete: 'Delete',
  forceDelete: 'Force delete',
  evictThroughApi: 'Evict',
  cordon: 'Cordon',
  uncordon: 'Uncordon',
  drain: 'Drain',
}

export const tables = {
  counted,
  columns: {
    button: 'Columns',
    title: 'Choose and order columns',
    list: 'Columns',
    show: (head: string) => `Show ${head}`,
    left: (head: string) => `Move ${head} left`,
    right: (head: string) => `Move ${head} right`,
    reset: 'Default columns',
    hint: 'Without a choice, a narrow table leaves columns out. Chosen columns all stay; the table then scrolls sideways.',
  },
  selectors: {
    labels: 'Label selector',
    fields: 'Field selector',
    hints: {
      pods: { labels: '-l app=web,tier!=db', fields: '--field-selector status.phase=Running' },
      nodes: {
        labels: '-l kubernetes.io/os=linux',
        fields: '--field-selector spec.unschedulable=true',
      },
    },
    fieldsTitle: (names: readonly string[]) => `Fields: ${names.join(', ')}`,
    clear: 'Clear the selector',
    unreadable: (selector: string, why: string) => `${selector} cannot be read: ${why}.`,
    unreadableTitle: 'The selector cannot be read',
    unreadableMeaning: 'No row is shown while a selector has an error.',
  },
  marked: {
    bar: (kind: TableKind) => `Selected ${kind}`,
    count: (count: number) => `${count} selected`,
    all: 'Select all rows',
    row: (name: string) => `Select ${name}`,
    act: (act: RowsAct) => `${verbs[act]}…`,
    clear: 'Clear selection',
    clearKey: 'Esc',
  },
  acts: {
    title: (act: RowsAct, kind: TableKind, count: number) =>
      `${verbs[act]} ${counted(kind, count)}`,
    confirm: (act: RowsAct, kind: TableKind, count: number, cluster: string) =>
      `${verbs[act]} ${counted(kind, count)} on ${cluster}`,
    rows: 'What happens to each row',
    will: (count: number, refused: number) =>
      refused === 0
        ? `The request is sent for all ${count}.`
        : `The request is sent for ${count}; ${refused} ${refused === 1 ? 'is' : 'are'} refused.`,
    none: 'Every row is refused: nothing is sent.',
    blocked: (count: number) =>
      ` The API server would refuse ${count} of them now; it is asked nevertheless.`,
    progress: (done: number, failed: number, all: number) =>
      `${done + failed} of ${all} answered${failed === 0 ? '' : `, ${failed} refused`}.`,
    ended: (done: number, failed: number, notSent: number) =>
      [
        `${done} begun`,
        ...(failed === 0 ? [] : [`${failed} refused`]),
        ...(notSent === 0 ? [] : [`${notSent} not sent`]),
      ].join(', '),
    state: {
      refused: 'Refused',
      blocked: 'Blocked',
      ready: 'Ready',
      sending: 'Sending',
      done: 'Begun',
      failed: 'Refused',
      notSent: 'Not sent',
    },
    wasNotSent: 'You stopped before this row.',
    stop: 'Stop',
    close: 'Close',
    kubectl: 'the same with kubectl',
    drainTogether:
      'The nodes are drained at the same time. Each forecast is for one drain: a disruption budget that covers pods on several of these nodes may refuse evictions, and each drain asks again every 5 s.',
    copyAll: 'Copy all kubectl lines',
  },
}
