/** The address of the service as people write it. */

/** The address as it is, where it is one; `source` names where it came from, such as an option or a variable. */
export function requireAddress(address: string, source: string): string {
  // The message does not quote the address, because it has a password in it.
  if (/^https?:\/\/[^/?#]*@/i.test(address))
    throw new Error(`${source} has a user name or a password in it, which cannot be sent; leave it out.`)
  if (/^https?:\/\/[^/]+/i.test(address)) return address
  const example = /^[\w.-]+(:\d+)?(\/.*)?$/.test(address) ? address : '127.0.0.1:8080'
  throw new Error(
    `${source} is "${address}", but an address begins with http:// or https://. Write for example http://${example}.`,
  )
}
