import type { ActFacts, ActForecast } from './act.ts'

/** What the three deletions through the API server will do. Pure; see `forecastAct`. */
export function forecastDelete(
  act: 'delete' | 'forceDelete' | 'deleteMirror',
  facts: ActFacts,
  graceSeconds: number | null,
): ActForecast {
  const isMirror = act === 'deleteMirror'
  const refusal = deleteRefusal(act, facts)
  const grace = act === 'forceDelete' ? 0 : (graceSeconds ?? facts.specGraceSeconds)
  const force = act === 'forceDelete' || (isMirror && graceSeconds === 0)
  return {
    act,
    isAllowed: refusal === '',
    refusal,
    title: isMirror ? 'Delete the mirror pod' : force ? 'Delete by force' : 'Delete',
    summary: isMirror
      ? 'Only the API server’s copy goes, and it comes back. The containers of the static pod are not touched.'
      : 'The API server marks the object; the kubelet stops its containers, then the object goes.',
    marks: [],
    graceSeconds: grace,
    outcome: isMirror ? 'a new mirror with a new UID' : 'object gone',
    warnings: [],
    protections: [],
    kubectl: {
      caption: 'the same with kubectl',
      line: `kubectl delete pod -n ${facts.namespace} ${facts.name}${force ? ' --grace-period=0 --force' : graceSeconds === null ? '' : ` --grace-period=${grace}`}${isMirror ? ' --wait=false' : ''}`,
    },
    confirm: isMirror ? 'Delete mirror' : force ? 'Delete by force' : `Delete, ${grace} s grace`,
    takesGrace: act === 'delete',
  }
}

function deleteRefusal(act: 'delete' | 'forceDelete' | 'deleteMirror', facts: ActFacts): string {
  if (facts.readOnly) return 'Nodescope was started with --read-only: it shows and does not act.'
  if (!facts.apiServerReachable)
    return 'The API server does not answer now, and it is the one that deletes.'
  if (act !== 'deleteMirror' && facts.kind === 'static')
    return 'A static pod is not in the API, only its mirror is: take its manifest away to stop it.'
  if (act === 'deleteMirror' && facts.kind === 'regular')
    return 'It is no static pod, so it has no mirror.'
  if (!facts.hasApiObject)
    return act === 'deleteMirror'
      ? 'There is no mirror in the API server now.'
      : 'The API server has no object of this pod any more.'
  return ''
}
