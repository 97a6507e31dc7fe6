/** The calls by which a runtime is asked for what the kubelet itself does not need. */
export function isForPages(call: string): boolean {
  return call === 'causesOf' || call === 'containerEnvironment'
}

type Around = (call: string, make: () => unknown, given: readonly unknown[]) => unknown

/**
 * The same service, with something around each of its calls. `around` gets the name of the call, what makes it
 * and what was given, and its answer is the caller's. Properties that are no functions stay as they are. The service has all
 * its calls when it is given here. `isPlain`: whether a call is made now with nothing around it.
 */
export function aroundCalls<T extends object>(
  service: T,
  around: Around,
  isPlain: (call: string) => boolean = () => false,
): T {
  const target = service as Readonly<Record<string, unknown>>
  const whole: Record<string, unknown> = {}
  for (const key of namesOf(service))
    if (typeof target[key] === 'function') whole[key] = callOf(target, key, { around, isPlain })
    else Object.defineProperty(whole, key, { enumerable: true, get: () => target[key] })
  // It has each property of the service, of the same type.
  return whole as T
}

/** Its own properties and those of its classes. */
function namesOf(service: object): ReadonlySet<string> {
  const names = new Set<string>()
  for (
    let at: object | null = service;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  )
    for (const name of Object.getOwnPropertyNames(at)) names.add(name)
  names.delete('constructor')
  return names
}

/** Looks the function up at each call: what replaces it later is called too. */
function callOf(
  target: Readonly<Record<string, unknown>>,
  key: string,
  { around, isPlain }: { readonly around: Around; readonly isPlain: (call: string) => boolean },
): (...given: readonly unknown[]) => unknown {
  const make = (given: readonly unknown[]): unknown => {
    const call = target[key] as (...given: readonly unknown[]) => unknown
    return call.apply(target, given as unknown[])
  }
  return (...given) => (isPlain(key) ? make(given) : around(key, () => make(given), given))
}
