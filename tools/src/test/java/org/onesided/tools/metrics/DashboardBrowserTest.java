package org.onesided.tools.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.protocol.bootstrap.TokenFiles;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.tools.load.report.Browser;

/**
 * The page of a running server, as a browser shows it.
 */
class DashboardBrowserTest
{
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(60);
    private static final int RECORDS = 37;
    private static final Pattern METRIC = Pattern.compile("(?:onesided|process|jvm)_[a-z_]+");

    @TempDir
    Path folder;

    @Test
    void shouldShowARunningServer() throws Exception
    {
        final Browser browser = browser();
        final Served served = new Served();
        try (StoreServer server = start();
            MetricsEndpoint endpoint = endpoint(served, null);
            StoreClient client = client(server))
        {
            served.started(server);
            for (int i = 0; i < RECORDS; i++)
            {
                client.put("key-" + i, "value");
            }
            for (final Browser.Scheme scheme : Browser.Scheme.values())
            {
                final Browser.View view = browser.show(
                    uri(endpoint, "/").toString(), scheme,
                    folder.resolve(scheme.name().toLowerCase(Locale.ROOT) + ".png"));

                // A policy that the page broke would be told here.
                assertEquals(List.of(), view.messages());
                assertEquals("ready", text(view.dom(), "state"));
                assertEquals(Integer.toString(RECORDS), text(view.dom(), "records"));
                assertEquals(
                    Integer.toString(server.metrics().sessions().sessionCount()), text(view.dom(), "sessions"));
                // The second reading had something to compare with.
                assertEquals("0", text(view.dom(), "deletes"));
                assertTrue(text(view.dom(), "used").endsWith("iB"), view.dom());
                assertTrue(view.dom().contains("<td>anonymous</td>"), view.dom());
                assertTrue(
                    Pattern.compile("<tbody id=\"shards\">(?:<tr>.*?</tr>){2}</tbody>").matcher(view.dom()).find(),
                    view.dom());
            }
        }
    }

    @Test
    void shouldSayWhenTheServerHasNoNumbersYet() throws Exception
    {
        final Browser browser = browser();
        try (MetricsEndpoint endpoint = endpoint(new Served(), null))
        {
            final Browser.View view =
                browser.show(uri(endpoint, "/").toString(), Browser.Scheme.LIGHT, folder.resolve("starting.png"));
            assertEquals("starting", text(view.dom(), "state"));
            assertEquals("\u2013", text(view.dom(), "records"));
        }
    }

    @Test
    void shouldSendThePageWithAStrictPolicy() throws Exception
    {
        try (MetricsEndpoint endpoint = endpoint(new Served(), null))
        {
            final HttpResponse<String> page = get(endpoint, "/");
            assertEquals(200, page.statusCode());
            assertEquals("text/html; charset=utf-8", page.headers().firstValue("Content-Type").orElseThrow());
            assertEquals("nosniff", page.headers().firstValue("X-Content-Type-Options").orElseThrow());
            final String policy = page.headers().firstValue("Content-Security-Policy").orElseThrow();
            assertTrue(policy.matches("default-src 'none'; connect-src 'self'; style-src 'sha256-[\\w+/]{43}='; " +
                "script-src 'sha256-[\\w+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
                policy);
            // Nothing of another host, and no text of the server's that becomes markup.
            assertEquals(List.of("http://www.w3.org/2000/svg"), Pattern.compile("https?://[^'\"\\s]+")
                .matcher(page.body()).results().map(found -> found.group()).toList());
            for (final String word :
                List.of("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "src="))
            {
                assertFalse(page.body().contains(word), word);
            }
        }
    }

    @Test
    void shouldAskForMetricsThatExist() throws Exception
    {
        final Served served = new Served();
        // Without a client there is no session of an identity.
        try (StoreServer server = start();
            MetricsEndpoint endpoint = endpoint(served, null);
            StoreClient client = client(server))
        {
            served.started(server);
            client.put("key", "value");
            final String metrics = get(endpoint, "/metrics").body();
            final Matcher asked = METRIC.matcher(get(endpoint, "/").body());
            int count = 0;
            while (asked.find())
            {
                count++;
                assertTrue(metrics.contains("\n# TYPE " + asked.group() + " "), asked.group());
            }
            assertTrue(count > 15, "names found: " + count);
            assertTrue(metrics.contains("onesided_client_gets_total{result=\"miss\"}"), metrics);
        }
    }

    @Test
    void shouldKeepThePageBehindTheToken() throws Exception
    {
        final Path file = Files.writeString(folder.resolve("token"), "sesame\n");
        try (MetricsEndpoint endpoint = endpoint(new Served(), TokenFiles.load(null, file, null, null)))
        {
            assertEquals(401, get(endpoint, "/").statusCode());
            assertEquals(503, get(endpoint, "/health").statusCode());
        }
    }

    @Test
    void shouldShowMetricsOnceTheBrowserHasTheToken() throws Exception
    {
        final Browser browser = browser();
        final Path file = Files.writeString(folder.resolve("token"), "sesame\n");
        final Served served = new Served();
        try (StoreServer server = start();
            MetricsEndpoint endpoint = endpoint(served, TokenFiles.load(null, file, null, null)))
        {
            served.started(server);
            final String address = uri(endpoint, "/").toString().replace("://", "://anybody:sesame@");
            final Browser.View view = browser.show(address, Browser.Scheme.LIGHT, folder.resolve("token.png"));
            assertEquals("ready", text(view.dom(), "state"));
            assertEquals("0", text(view.dom(), "records"));
        }
    }

    private Browser browser() throws IOException, InterruptedException
    {
        try
        {
            return Browser.find(Files.createDirectories(folder.resolve("browser")));
        }
        catch (final IOException e)
        {
            return abort(e.getMessage());
        }
    }

    /** Text of the element with an id. */
    private static String text(final String dom, final String id)
    {
        final Matcher matcher = Pattern.compile("id=\"" + id + "\"[^>]*>([^<]*)<").matcher(dom);
        return matcher.find() ? matcher.group(1) : dom.lines().collect(Collectors.joining("\n"));
    }

    private static HttpResponse<String> get(final MetricsEndpoint endpoint, final String path)
        throws IOException, InterruptedException
    {
        return HttpClient.newHttpClient().send(
            HttpRequest.newBuilder(uri(endpoint, path)).timeout(LONGEST_ANSWER).build(),
            HttpResponse.BodyHandlers.ofString(UTF_8));
    }

    private static URI uri(final MetricsEndpoint endpoint, final String path)
    {
        return URI.create("http://127.0.0.1:" + endpoint.address().getPort() + path);
    }

    private static MetricsEndpoint endpoint(final Served served, final Tokens tokens) throws IOException
    {
        return MetricsEndpoint.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), served, tokens);
    }

    private static StoreClient client(final StoreServer server)
    {
        return StoreClient.builder().server("127.0.0.1:" + server.address().getPort()).device("shm").build();
    }

    private static StoreServer start()
    {
        return StoreServer.start(
            new ServerOptions().listenPort(0).memory(32 << 20).shards(2).device("shm").measuresTimes(true));
    }
}
