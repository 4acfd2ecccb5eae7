// Parts of Scalar add styles without the nonce of the page, which lets styles in.
const nonce = document.querySelector('meta[property=csp-nonce]').content
const create = document.createElement.bind(document)
document.createElement = (name, options) => {
  const element = create(name, options)
  if (element instanceof HTMLStyleElement) element.nonce = nonce
  return element
}
