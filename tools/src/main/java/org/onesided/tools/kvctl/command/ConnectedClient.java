package org.onesided.tools.kvctl.command;

import org.onesided.client.StoreClient;

/**
 * A client that is closed behind the command if the command made it, and kept if it is the shell's.
 *
 * @param client   to use.
 * @param isShared whether others go on using it.
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
