package org.onesided.conformance;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.VerbsException;

/**
 * A peer in a process of its own: tells its endpoint, is told the other's, and then either serves for as long as its
 * standard input is open, or reads the other's first word and says what came of it.
 */
final class PeerMain
{
    /** What a serving peer has in its region. */
    static final int SEED = 7;
    /** How much of it. */
    static final int LENGTH = 4096;
    /** Where a serving peer receives. */
    static final int RECEIVES_OFFSET = 8192;
    /** How many receives it keeps posted. */
    static final int RECEIVES = 8;

    private PeerMain()
    {
    }

    /**
     * @param args the device, and {@code serve} or {@code read}.
     */
    public static void main(final String[] args) throws Exception
    {
        final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (Side side = new Side(args[0], new Setup()))
        {
            side.fill(0, LENGTH, SEED);
            final EndpointText own = EndpointText.of(side);
            System.out.println(own);
            final EndpointText peer = EndpointText.parse(input.readLine());
            ReliableConnection.initialise(side.queuePair, side.connection);
            for (int i = 0; i < RECEIVES; i++)
            {
                side.receive(i, RECEIVES_OFFSET, 64);
            }
            ReliableConnection.connect(side.queuePair, own.endpoint(), peer.endpoint(), side.connection);
            if (args[1].equals("serve"))
            {
                System.out.println("ready");
                serve(side, input);
            }
            else
            {
                System.out.println(read(side, peer));
            }
        }
        catch (final VerbsException ex)
        {
            System.out.println("refused " + ex.getMessage());
        }
    }

    private static void serve(final Side side, final BufferedReader input) throws Exception
    {
        while (!input.ready())
        {
            side.poll();
            while (!side.received.isEmpty())
            {
                side.receive(side.received.remove().id(), RECEIVES_OFFSET, 64);
            }
            Thread.sleep(1);
        }
    }

    private static String read(final Side side, final EndpointText peer)
    {
        side.sends.at(0).begin(1, Opcode.RDMA_READ, SendFlags.SIGNALED)
            .element(side.address(0), 8, side.region.localKey())
            .remote(peer.address(), peer.key());
        side.post(1);
        while (side.sent.isEmpty())
        {
            side.poll();
            Thread.onSpinWait();
        }
        final Completion completion = side.sent.remove();
        return completion.isSuccess() ?
            "read " + side.word(0) : "refused " + CompletionStatus.name(completion.status());
    }
}
