package org.onesided.tools.kvctl.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.onesided.protocol.bootstrap.Tokens;
import org.onesided.server.StoreServer;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.StopHook;
import org.onesided.tools.metrics.MetricsEndpoint;
import org.onesided.tools.metrics.Served;

/**
 * Says how the server is, from before its start until after its stop: to those who ask at {@code --metrics}, and to the
 * service manager. Thread-safe.
 */
final class ServerReports implements AutoCloseable
{
    private static final String BLANK = "blank: waits until kvctl cluster create or add makes it a member";

    private final Served served = new Served();
    private final ServiceNotice service;
    /** As the settings name it; null for no metrics, as the endpoint. */
    private final ListenAddress metrics;
    private final MetricsEndpoint endpoint;
    private final StopHook hook;

    private ServerReports(final ListenAddress metrics, final Tokens tokens, final String serviceAddress)
    {
        this.metrics = metrics;
        endpoint = metrics == null ? null : listen(metrics, served, tokens);
        service = new ServiceNotice(serviceAddress);
        // A signal may come while the server starts, which goes on until it can be stopped.
        hook = StopHook.telling(service::stopping);
    }

    /**
     * Starts to answer.
     *
     * @param metrics        where to, or null for no metrics.
     * @param tokens         of which {@code /metrics} asks for one, or null for none.
     * @param serviceAddress of the service manager's socket, or null for none.
     * @return the reports; the caller closes them.
     */
    static ServerReports open(final ListenAddress metrics, final Tokens tokens, final String serviceAddress)
    {
        return new ServerReports(metrics, tokens, serviceAddress);
    }

    private static MetricsEndpoint listen(final ListenAddress metrics, final Served served, final Tokens tokens)
    {
        final InetSocketAddress address = new InetSocketAddress(metrics.host(), metrics.port());
        if (address.isUnresolved())
        {
            throw new CommandException(
                ExitCode.FAILED, "cannot serve metrics, the host has no address here: --metrics=" + metrics);
        }
        try
        {
            return MetricsEndpoint.start(address, served, tokens);
        }
        catch (final IOException e)
        {
            throw new CommandException(ExitCode.FAILED, "cannot serve metrics, choose another address: --metrics=" +
                metrics + " cause=" + e.getMessage(), e);
        }
    }

    /** Where metrics are served, with the port that they have got; null for no metrics. */
    ListenAddress metrics()
    {
        return endpoint == null ? null : new ListenAddress(metrics.host(), endpoint.address().getPort());
    }

    /** Whether everybody in the network can see the metrics. */
    boolean isExposed()
    {
        return endpoint != null && endpoint.isOpen() && !endpoint.address().getAddress().isLoopbackAddress();
    }

    /** The server waits to be formed, which may last: the service is up, but not healthy yet. */
    void blank()
    {
        served.unavailable(() -> BLANK);
        service.ready(BLANK);
    }

    /** The server starts, or starts anew. */
    void starting(final StartNotice notice)
    {
        served.unavailable(() -> "starting: " + notice.progress());
        service.starting(notice::progress);
    }

    /** Clients can connect. */
    void ready(final StoreServer server, final String readyLine)
    {
        served.started(server);
        service.ready(readyLine);
    }

    @Override
    public void close()
    {
        hook.close();
        service.close();
        if (endpoint != null)
        {
            endpoint.close();
        }
    }
}
