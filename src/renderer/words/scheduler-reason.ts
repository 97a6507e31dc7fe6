/** Why no node fits a pod: the scheduler's message without the number of nodes and preemption. */
export function shortReason(message: string): string {
  const [reasons = ''] = message.replace(/^0\/\d+ nodes are available: /, '').split('. ', 1)
  return reasons.replace(/\.$/, '')
}
