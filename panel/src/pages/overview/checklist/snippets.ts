export const snippetKinds = ['web', 'android', 'ios', 'curl'] as const
export type SnippetKind = (typeof snippetKinds)[number]

export interface SnippetValues {
  appId: string
  /** Where the service is reached, without a slash at the end. */
  baseUrl: string
  clientKey: string
}

const writers: Record<SnippetKind, (values: SnippetValues) => string> = { web, android, ios, curl }

/** What registers a device, with the values of the app filled in: whatever they are, the code stays what it is. */
export function writeSnippet(kind: SnippetKind, values: SnippetValues): string {
  return writers[kind](values)
}

function web({ appId, baseUrl, clientKey }: SnippetValues): string {
  return `<script src="${inHtml(`${baseUrl}/sdk/peyk.js`)}"></script>
<script>
  const peyk = new Peyk({
    appId: ${quoted(appId)},
    clientKey: ${quoted(clientKey)},
    baseUrl: ${quoted(baseUrl)},
  })
  peyk.on('message', (message) => console.log(message.content))
  peyk.register()
</script>`
}

function android({ baseUrl, clientKey }: SnippetValues): string {
  return `import java.net.HttpURLConnection
import java.net.URL
import org.json.JSONObject

// Call it off the main thread when the app starts.
// Keep the id that it returns, and pass it the next time.
fun registerInstallation(fcmToken: String?, knownId: String?): String {
    val url = URL(${quoted(`${baseUrl}/api/installations`)})
    val connection = url.openConnection() as HttpURLConnection
    connection.requestMethod = "POST"
    connection.setRequestProperty("X-Access-Token", ${quoted(clientKey)})
    connection.setRequestProperty("Content-Type", "application/json")
    connection.doOutput = true
    val body = JSONObject()
        .put("deviceType", "android")
        .put("deviceToken", fcmToken)
        .put("id", knownId)
    connection.outputStream.use { it.write(body.toString().toByteArray()) }
    val answer = connection.inputStream.bufferedReader().use { it.readText() }
    return JSONObject(answer).getString("id")
}`
}

function ios({ baseUrl, clientKey }: SnippetValues): string {
  return `import Foundation

struct Installation: Decodable { let id: String }

// Call it when the app starts, with the APNs token in hex.
// Keep the id that it returns, and pass it the next time.
func registerInstallation(apnsToken: String?, knownId: String?) async throws -> String {
    let url = URL(string: ${quotedInSwift(`${baseUrl}/api/installations`)})!
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue(${quotedInSwift(clientKey)}, forHTTPHeaderField: "X-Access-Token")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    var body = ["deviceType": "ios"]
    body["deviceToken"] = apnsToken
    body["id"] = knownId
    request.httpBody = try JSONEncoder().encode(body)
    let (data, response) = try await URLSession.shared.data(for: request)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else {
        throw URLError(.badServerResponse)
    }
    return try JSONDecoder().decode(Installation.self, from: data).id
}`
}

function curl({ baseUrl, clientKey }: SnippetValues): string {
  return `curl ${inShell(`${baseUrl}/api/installations`)} \\
  -H ${inShell(`X-Access-Token: ${clientKey}`)} \\
  -H 'Content-Type: application/json' \\
  -d '{ "deviceType": "android" }'`
}

/** All but these mean something somewhere: in a string, in a template within it, or in the page around it. */
const notPlain = /[^\w\-./:@+=~ ]/gu

/** A string literal of JavaScript, in a page too, and of Kotlin. */
function quoted(text: string): string {
  const units = (char: string) => char.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
  const written = text.replace(notPlain, (char) =>
    units(char)
      .map((hex) => `\\u${hex}`)
      .join(''),
  )
  return `"${written}"`
}

function quotedInSwift(text: string): string {
  return `"${text.toWellFormed().replace(notPlain, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)}"`
}

function inHtml(text: string): string {
  return text.replace(notPlain, (char) => `&#${char.codePointAt(0)};`)
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
