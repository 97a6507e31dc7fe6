import { countText } from '../../../words/time.ts'
import { counted } from '../plural.ts'

const keys = [
  { keys: ['J', 'K'], does: 'move' },
  { keys: ['Enter'], does: 'open the pod' },
  { keys: ['/'], does: 'filter' },
]

export const events = {
  title: 'Events',
  request: 'events',
  label: 'Events, newest first',
  summary: (matching: number, total: number) =>
    matching === total
      ? counted(total, 'event')
      : `${countText(matching)} of ${counted(total, 'event')}`,
  filter: 'Filter events by object, reason, message or component',
  filterExample: 'pod, reason or message',
  namespace: 'Namespace',
  allNamespaces: 'All namespaces',
  which: 'Which events',
  all: 'All',
  warnings: 'Warnings',
  heads: {
    last: 'LAST SEEN',
    type: 'TYPE',
    reason: 'REASON',
    object: 'OBJECT',
    message: 'MESSAGE',
  },
  count: (count: number, first: string) => `×${count} since ${first}`,
  none: 'No events',
  noneMeaning:
    'An API server keeps events for an hour by default. New ones appear here by themselves.',
  noMatch: 'No matches',
  noMatchMeaning: 'Clear the filter, or choose all namespaces.',
  page: (from: number, to: number, of: number) => `${from} to ${to} of ${countText(of)}`,
  newer: 'Newer',
  older: 'Older',
  unscheduled: (count: number) => `${counted(count, 'pod')} without a node`,
  unscheduledMeaning: (count: number) =>
    `No kubelet has ${count === 1 ? 'it' : 'them'}. The scheduler says why.`,
  keys,
  keysWithUnscheduled: [...keys, { keys: ['N'], does: 'next pod without a node' }],
}
