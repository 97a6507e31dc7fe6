import type { KeyedRequests } from '../store/requests/keyed-requests.ts'

/** A page that is not on the screen asks nothing. */
export function followVisibility(requests: KeyedRequests, page: Document): void {
  const apply = (): void => requests.setAwake(page.visibilityState !== 'hidden')
  page.addEventListener('visibilitychange', apply)
  apply()
}
