package org.onesided.endtoend.rdma;

import java.io.IOException;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreSession;

/**
 * A client that puts and gets, says so in one line, and then waits to be killed or for the end of its input.
 */
public final class ClientMain
{
    private ClientMain()
    {
    }

    /**
     * @param arguments address of the server, device, how many sessions.
     * @throws IOException if the standard input cannot be read.
     */
    public static void main(final String[] arguments) throws IOException
    {
        try (StoreClient client = StoreClient.builder().server(arguments[0]).device(arguments[1]).build())
        {
            client.put("from-another-process", "value");
            for (int i = Integer.parseInt(arguments[2]); i > 1; i--)
            {
                final StoreSession session = client.openSession();
                session.put("session-" + i, "value");
            }
            System.out.println(client.get("from-another-process"));
            while (System.in.read() >= 0)
            {
                // Nothing is sent: only the end counts.
                continue;
            }
        }
    }
}
