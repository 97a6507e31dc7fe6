import { answerWords } from '../../../shared/model/forecast/forecast-words.ts'
import type { ApiError } from '../../kubelet/ports.ts'

/** What was tried and how the API server answered, with its code, reason and message, or that the outcome is not known. */
export function refusedWords(what: string, error: ApiError): string {
  const { code, reason = '', message, causes = [], isUnsent } = error
  const said = [message, ...causes]
    .map((text) => (/[.!?]$/.test(text) ? text : `${text}.`))
    .join(' ')
  if (code === undefined)
    return isUnsent === true
      ? `${what} failed, nothing was sent: ${said}`
      : `The outcome of the ${what.toLowerCase()} is not known, no response from the API server: ${said} Look at the object before you try again.`
  const refused = `${what} refused (${answerWords(code, reason)}): ${said}`
  // A server that gives up a request, or breaks at it, may have stored the change before.
  return code === 500 || code === 504 ? `${refused} It may have happened all the same.` : refused
}
