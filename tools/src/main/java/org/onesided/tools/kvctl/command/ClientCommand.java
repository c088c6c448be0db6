package org.onesided.tools.kvctl.command;

import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Text;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A command that connects to a server.
 */
public abstract class ClientCommand extends KvctlCommand
{
    private final SettingOptions connection = ClientOptions.declare();

    @Mixin
    private final CommandSpec connectionOptions = connection.spec();

    /** The shell's client, or a new one. */
    protected final ConnectedClient connect()
    {
        return connect(StoreClientBuilder.DEFAULT_MAX_SESSIONS);
    }

    /**
     * As {@link #connect()}.
     *
     * @param maxSessions that a new client lends at a time, at most.
     */
    protected final ConnectedClient connect(final int maxSessions)
    {
        return connect(maxSessions, true);
    }

    /** As {@link #connect()}, for a command that looks nothing up: a new client keeps no copies of buckets. */
    protected final ConnectedClient connectToPut()
    {
        return connect(StoreClientBuilder.DEFAULT_MAX_SESSIONS, false);
    }

    private ConnectedClient connect(final int maxSessions, final boolean looksUp)
    {
        final StoreClient shared = invocation().sharedClient();
        if (shared == null)
        {
            return new ConnectedClient(
                ClientOptions.connect(connection, invocation(), maxSessions, looksUp), false);
        }
        if (connection.isAnyGiven())
        {
            throw new CommandException(ExitCode.USAGE, "this shell stays with its connection: to reach " +
                "another server, or the same otherwise, end it and start kvctl shell with such options");
        }
        return new ConnectedClient(shared, true);
    }

    /**
     * As {@link #connect}, for what only a server can do that is alone.
     *
     * @param otherwise what to do with a cluster instead.
     */
    protected final ConnectedClient connectServer(final String otherwise)
    {
        final ConnectedClient connected = connect();
        if (!connected.client().isCluster())
        {
            return connected;
        }
        try (connected)
        {
            throw new CommandException(ExitCode.USAGE, "this is a cluster: " + otherwise + "; server=" +
                Text.oneLine(connected.client().server().address()));
        }
    }
}
