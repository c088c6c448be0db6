package org.onesided.verbs.shm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.onesided.verbs.CompletionOpcode;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;

/**
 * The other process of two: connects, then serves until it is killed or its standard input ends.
 */
public final class PeerMain
{
    private PeerMain()
    {
    }

    /**
     * @param args "ready" to go to RTS, "echo" to answer each message as well, sleeping between.
     * @throws IOException if standard input fails.
     */
    public static void main(final String[] args) throws IOException
    {
        final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Node node = new Node())
        {
            node.fill(0, 4096, 1);
            System.out.println(
                Endpoints.format(node.endpoint()) + " " + node.address(0) + " " + node.region.remoteKey());
            final Endpoint own = Endpoints.parse(in.readLine());
            final Endpoint peer = Endpoints.parse(in.readLine());
            ReliableConnection.initialise(node.queuePair, Node.options());
            for (int i = 0; i < 8; i++)
            {
                node.receive(i, 8192 + i * 1024, 1024);
            }
            ReliableConnection.connect(node.queuePair, own, peer, Node.options());
            System.out.println("ready");
            if (args.length > 0 && args[0].equals("echo"))
            {
                echo(node);
            }
            else
            {
                in.readLine();
            }
        }
    }

    private static void echo(final Node node)
    {
        while (true)
        {
            node.completions.requestNotify(false);
            int count = node.polled.poll(node.completions);
            if (count == 0)
            {
                if (node.channel.awaitEvent(10_000_000_000L) == null)
                {
                    throw new AssertionError("nothing came");
                }
                node.completions.acknowledgeEvents(1);
                count = node.polled.poll(node.completions);
            }
            for (int i = 0; i < count; i++)
            {
                if (node.polled.status(i) != CompletionStatus.SUCCESS)
                {
                    return;
                }
                if (node.polled.opcode(i) == CompletionOpcode.RECV)
                {
                    final long id = node.polled.id(i);
                    final int length = node.polled.byteLength(i);
                    node.sends.at(0).begin(99, Opcode.SEND, SendFlags.SIGNALED)
                        .element(node.address(8192 + id * 1024), length, node.region.localKey());
                    node.receive(id, 8192 + id * 1024, 1024);
                    // The answer is copied while it is posted, so that the receive may be posted first.
                    if (node.sends.post(node.queuePair, 1) != 0)
                    {
                        throw new AssertionError("cannot answer");
                    }
                }
            }
        }
    }
}
