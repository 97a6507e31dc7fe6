import type { KeyedRequests } from '../store/requests/keyed-requests.ts'

/** A hidden page sends no requests. */
export function followVisibility(requests: KeyedRequests, page: Document): void {
  const apply = (): void => requests.setVisible(page.visibilityState !== 'hidden')
  page.addEventListener('visibilitychange', apply)
  apply()
}
