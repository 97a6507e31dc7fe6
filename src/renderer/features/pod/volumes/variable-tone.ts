import type { VariableView } from '../../../../shared/model/inside-pod/pod-volumes.ts'
import { isMissing } from './volume-order.ts'

/** `error` where the container waits for it now, `warn` where it will. Pure. */
export function variableTone(
  variable: VariableView,
  isFailing: boolean,
): 'error' | 'warn' | 'quiet' {
  if (!isMissing(variable)) return 'quiet'
  return isFailing ? 'error' : 'warn'
}
