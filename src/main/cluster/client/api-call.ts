import { withFields } from '../../../shared/json.ts'
import type { KubeRequest, KubeResponse, Transport } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { ApiError } from '../../kubelet/ports.ts'
import { apiErrorOfResponse, apiErrorOfThrown } from './api-errors.ts'

/** Sends one request and returns the body of a success. A refusal and a missing response are error values. */
export async function callApi(
  transport: Transport,
  request: KubeRequest,
): Promise<Result<unknown, ApiError>> {
  let response: KubeResponse
  try {
    const headers = { accept: 'application/json', ...request.headers }
    response = await transport.send(withFields(request, { headers }))
  } catch (error) {
    return err(apiErrorOfThrown(error))
  }
  const refusal = apiErrorOfResponse(response)
  if (refusal !== undefined) return err(refusal)
  switch (response.kind) {
    case 'object':
      return ok(response.body)
    case 'watch':
      response.stream.stop()
      return err(unexpectedAnswer(request, 'a watch'))
    case 'text':
      return err(unexpectedAnswer(request, response.contentType))
  }
}

/** A success without a Kubernetes object: often from a proxy or a login page. */
export function unexpectedAnswer(request: KubeRequest, what: string): ApiError {
  return {
    kind: 'unknown',
    message: `${request.method} ${request.path} returned ${what} instead of a Kubernetes object`,
  }
}
