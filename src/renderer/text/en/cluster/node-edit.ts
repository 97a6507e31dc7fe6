import { counted } from '../plural.ts'

/** What the page says of editing labels and taints of a node. */
export const nodeEdit = {
  open: 'Labels and taints…',
  title: (node: string) => `Labels and taints of ${node}`,
  labels: 'Labels, key=value',
  taints: 'Taints, key=value:Effect',
  loading: 'Asking the API server for the node…',
  changes: 'Changes',
  evicted: 'Evicted pods',
  at: (seconds: number) => (seconds === 0 ? 'at once' : `after ${seconds} s`),
  stay: (count: number) => `${counted(count, 'running pod')} not evicted`,
  confirm: 'Change node',
}
