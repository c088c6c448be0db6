package org.onesided.endtoend;

import java.io.IOException;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;

/**
 * A client with one open session, which does a few operations, prints {@code idle}, and nothing more until the end of
 * its input.
 */
final class IdleClient
{
    private static final int OPERATIONS = 1000;

    private IdleClient()
    {
    }

    /**
     * @param args server and device.
     * @throws IOException if there is no input.
     */
    public static void main(final String[] args) throws IOException
    {
        try (StoreClient client = StoreClient.builder().server(args[0]).device(args[1]).build();
            StoreSession session = client.openSession())
        {
            for (int i = 0; i < OPERATIONS; i++)
            {
                session.put("idle", "value " + i);
                session.get("idle");
            }
            client.async().put("idle", "at last").join();
            System.out.println("idle");
            System.in.read();
        }
    }
}
