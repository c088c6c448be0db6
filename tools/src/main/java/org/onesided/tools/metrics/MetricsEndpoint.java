package org.onesided.tools.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.server.StoreServer;
import org.onesided.waiting.Interruptible;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@code /metrics}, {@code /health} and a page that shows them over HTTP, with a few threads of its own. Slow
 * clients are cut off, and clients beyond the number of threads are refused. Thread-safe.
 */
public final class MetricsEndpoint implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(MetricsEndpoint.class);
    private static final int BACKLOG = 32;
    private static final int MAX_THREADS = 8;
    private static final int IDLE_THREAD_S = 30;
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int FAILED = 500;
    private static final int UNAVAILABLE = 503;
    private static final int NO_BODY = -1;
    private static final String TEXT = "text/plain; charset=utf-8";

    static
    {
        // Read once, when the JDK's server is first used. In seconds; without these limits it waits for ever.
        setUnlessGiven("sun.net.httpserver.maxReqTime", "5");
        setUnlessGiven("sun.net.httpserver.maxRspTime", "10");
        setUnlessGiven("sun.net.httpserver.idleInterval", "30");
        setUnlessGiven("sun.net.httpserver.maxIdleConnections", "16");
        // Supported from JDK 17.0.5 on. Before, only open files limit the connections.
        setUnlessGiven("jdk.httpserver.maxConnections", "64");
    }

    private final Served served;
    private final MetricsGuard guard;
    private final boolean isOpen;
    private final Dashboard dashboard = new Dashboard();
    private final HttpServer http;
    private final ThreadPoolExecutor threads;
    private final ExpositionFormatWriter prometheus = PrometheusTextFormatWriter.create();
    private final ExpositionFormatWriter openMetrics = OpenMetricsTextFormatWriter.create();

    private MetricsEndpoint(
        final Served served, final MetricsGuard guard, final boolean isOpen, final HttpServer http)
    {
        this.isOpen = isOpen;
        this.served = served;
        this.guard = guard;
        this.http = http;
        final AtomicInteger count = new AtomicInteger();
        threads = new ThreadPoolExecutor(
            1, MAX_THREADS, IDLE_THREAD_S, TimeUnit.SECONDS, new SynchronousQueue<>(), (task) ->
            {
                final Thread thread = new Thread(task, "store-metrics-" + count.incrementAndGet());
                thread.setDaemon(true);
                return thread;
            });
        http.setExecutor(threads);
        http.createContext("/", this::handle);
    }

    /**
     * Starts the endpoint.
     *
     * @param address to listen on; port 0 for any free one.
     * @param served  server to report.
     * @param tokens  of which {@code /metrics} asks for one, or null for none.
     * @return the endpoint; the caller closes it.
     * @throws IOException if the address cannot be listened on.
     */
    public static MetricsEndpoint start(final InetSocketAddress address, final Served served, final Tokens tokens)
        throws IOException
    {
        final MetricsEndpoint endpoint =
            new MetricsEndpoint(served, new MetricsGuard(tokens), tokens == null, HttpServer.create(address, BACKLOG));
        endpoint.http.start();
        return endpoint;
    }

    /**
     * @return whether it shows metrics to everybody that reaches it.
     */
    public boolean isOpen()
    {
        return isOpen;
    }

    /**
     * @return address that it listens on.
     */
    public InetSocketAddress address()
    {
        return http.getAddress();
    }

    /**
     * Closes all connections and ends all threads.
     */
    @Override
    public void close()
    {
        http.stop(0);
        threads.shutdownNow();
        Interruptible.run(() ->
        {
            if (!threads.awaitTermination(IDLE_THREAD_S, TimeUnit.SECONDS))
            {
                LOGGER.warn("threads of the metrics endpoint did not end: threads={}", threads.getPoolSize());
            }
        });
    }

    private void handle(final HttpExchange exchange) throws IOException
    {
        try (exchange)
        {
            final String method = exchange.getRequestMethod();
            if (!"GET".equals(method) && !"HEAD".equals(method))
            {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                answer(exchange, METHOD_NOT_ALLOWED, TEXT, "only GET and HEAD\n".getBytes(UTF_8));
                return;
            }
            switch (exchange.getRequestURI().getPath())
            {
                case "/" -> dashboard(exchange);
                case "/metrics" -> metrics(exchange);
                case "/health" -> health(exchange);
                default -> answer(exchange, NOT_FOUND, TEXT, "there are /, /metrics and /health\n".getBytes(UTF_8));
            }
        }
        catch (final RuntimeException e)
        {
            LOGGER.error("metrics: unexpected error", e);
            throw e;
        }
    }

    /** Asks for the token if there is one: a browser that has shown it for the page shows it for the metrics, too. */
    private void dashboard(final HttpExchange exchange) throws IOException
    {
        if (admits(exchange))
        {
            exchange.getResponseHeaders().set("Content-Security-Policy", dashboard.policy());
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
            answer(exchange, OK, "text/html; charset=utf-8", dashboard.page());
        }
    }

    /** Whether the peer may see numbers; if not, it is told so. */
    private boolean admits(final HttpExchange exchange) throws IOException
    {
        final boolean isAdmitted = guard.admits(exchange.getRequestHeaders().getFirst("Authorization"));
        if (!isAdmitted)
        {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"onesided\", charset=\"UTF-8\"");
            answer(exchange, UNAUTHORIZED, TEXT, "the metrics ask for a token\n".getBytes(UTF_8));
        }
        return isAdmitted;
    }

    private void metrics(final HttpExchange exchange) throws IOException
    {
        if (!admits(exchange))
        {
            return;
        }
        final StoreServer server = served.server();
        if (server == null)
        {
            answer(exchange, UNAVAILABLE, TEXT, "starting\n".getBytes(UTF_8));
            return;
        }
        final String accepted = exchange.getRequestHeaders().getFirst("Accept");
        final ExpositionFormatWriter format =
            accepted != null && openMetrics.accepts(accepted) ? openMetrics : prometheus;
        final ByteArrayOutputStream body = new ByteArrayOutputStream();
        try
        {
            format.write(body, ServerFamilies.of(server.metrics()));
        }
        catch (final RuntimeException e)
        {
            LOGGER.error("metrics could not be collected", e);
            answer(exchange, FAILED, TEXT, "metrics could not be collected, see the log\n".getBytes(UTF_8));
            return;
        }
        answer(exchange, OK, format.getContentType(), body.toByteArray());
    }

    private void health(final HttpExchange exchange) throws IOException
    {
        final String illness = served.illness();
        answer(exchange, illness == null ? OK : UNAVAILABLE, TEXT,
            ((illness == null ? "ready" : OneLine.of(illness)) + "\n").getBytes(UTF_8));
    }

    private static void answer(final HttpExchange exchange, final int status, final String type, final byte[] body)
        throws IOException
    {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        if ("HEAD".equals(exchange.getRequestMethod()))
        {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
            exchange.sendResponseHeaders(status, NO_BODY);
        }
        else
        {
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static void setUnlessGiven(final String property, final String value)
    {
        if (System.getProperty(property) == null)
        {
            System.setProperty(property, value);
        }
    }
}
