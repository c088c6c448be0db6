package org.onesided.tools.kvctl.command;

import org.onesided.client.StoreClient;

/**
 * A client that is closed after the command, unless it belongs to the shell.
 *
 * @param client   to use.
 * @param isShared whether it belongs to the shell.
 */
public record ConnectedClient(StoreClient client, boolean isShared) implements AutoCloseable
{
    @Override
    public void close()
    {
        if (!isShared)
        {
            client.close();
        }
    }
}
