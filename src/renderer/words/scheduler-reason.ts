/** Why no node takes a pod, without what the scheduler's message says for every pod: how many nodes there are, and preemption. */
export function shortReason(message: string): string {
  const [reasons = ''] = message.replace(/^0\/\d+ nodes are available: /, '').split('. ', 1)
  return reasons.replace(/\.$/, '')
}
