/** Whether a status has a condition of the type with the status True. */
export function isConditionTrue(
  status:
    | { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
    | undefined,
  type: string,
): boolean {
  return status?.conditions?.some((one) => one.type === type && one.status === 'True') === true
}
