package org.onesided.iwarp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onesided.verbs.QueuePairState;

/**
 * Peers that connect to the device and ask wrongly, or for what is not theirs, or not at all.
 */
class StartUpTest extends IwarpTest
{
    /** As many connections without a queue pair as the device lets one address have. */
    private static final int SILENT = 256;

    /** What is wrong with a request. */
    enum Request
    {
        WITH_MARKERS((good) -> flags(good, good.flags() | StartUp.MARKERS)),
        REJECTED((good) -> flags(good, good.flags() | StartUp.REJECTED)),
        NOT_ENHANCED((good) -> flags(good, good.flags() & ~StartUp.ENHANCED)),
        REVISION_0((good) -> new StartUp(false, good.flags(), 0, good.privateData()).bytes()),
        REVISION_1((good) -> new StartUp(false, good.flags(), 1, good.privateData()).bytes()),
        REVISION_3((good) -> new StartUp(false, good.flags(), 3, good.privateData()).bytes()),
        REPLY((good) -> new StartUp(true, good.flags(), 2, good.privateData()).bytes()),
        ANOTHER_SECRET((good) -> data(good, 35, 1)),
        ANOTHER_TARGET((good) -> data(good, 9, 1)),
        ANOTHER_OWN_NUMBER((good) -> data(good, 15, 1)),
        ANOTHER_MAGIC((good) -> data(good, 5, 1)),
        NO_PRIVATE_DATA((good) -> new StartUp(false, good.flags(), 2, new byte[0]).bytes()),
        SHORT_PRIVATE_DATA((good) -> new StartUp(
            false, good.flags(), 2, Arrays.copyOf(good.privateData(), good.privateData().length - 1)).bytes()),
        ENDLESS_PRIVATE_DATA((good) -> new StartUp(false, good.flags(), 2, new byte[65_535]).bytes()),
        ANOTHER_PROTOCOL((good) -> "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes()),
        NOISE((good) -> DeviceEnd.pattern(77, 500));

        private final Function<StartUp, byte[]> bytes;

        Request(final Function<StartUp, byte[]> bytes)
        {
            this.bytes = bytes;
        }

        private static byte[] flags(final StartUp good, final int flags)
        {
            return new StartUp(false, flags, good.revision(), good.privateData()).bytes();
        }

        private static byte[] data(final StartUp good, final int index, final int change)
        {
            final byte[] data = good.privateData().clone();
            data[index] ^= (byte)change;
            return new StartUp(false, good.flags(), good.revision(), data).bytes();
        }
    }

    @ParameterizedTest
    @EnumSource(Request.class)
    void shouldLetNobodyInWhoAsksWrongly(final Request wrong) throws IOException
    {
        final DeviceLink link = link();
        link.connect(0);
        final IwarpPeer stranger = opened(IwarpPeer.connect(end.port()));
        send(stranger, wrong.bytes.apply(link.request()));
        assertTrue(isRefused(stranger));
        assertEquals(QueuePairState.RTS, link.queuePair.state());

        // The queue pair is still there for the right one.
        final IwarpPeer peer = opened(IwarpPeer.connect(end.port()));
        link.checkAddressee(peer.request(link.request()), true);
        peer.readyToReceive();
        checkRead(peer, 0, 100);
    }

    @Test
    void shouldNotBeClaimedTwice() throws IOException
    {
        final DeviceLink link = link();
        final IwarpPeer peer = initiate(link);
        final byte[] request = link.request().bytes();
        final IwarpPeer second = opened(IwarpPeer.connect(end.port()));
        send(second, request);
        assertTrue(isRefused(second));
        checkRead(peer, 0, 100);

        peer.close();
        link.awaitGone();
        final IwarpPeer third = opened(IwarpPeer.connect(end.port()));
        send(third, request);
        assertTrue(isRefused(third));
    }

    @Test
    void shouldHaveAnotherSecretAfterReset()
    {
        final DeviceLink link = link();
        final byte[] before = link.secret();
        link.reset();
        assertTrue(!Arrays.equals(before, link.secret()));
        assertTrue(!Arrays.equals(link.secret(), link().secret()));
    }

    @Test
    void shouldAnswerARequestThatComesByteByByte() throws IOException
    {
        final DeviceLink link = link();
        link.connect(0);
        final IwarpPeer peer = opened(IwarpPeer.connect(end.port()));
        for (final byte one : link.request().bytes())
        {
            peer.send(new byte[] {one});
        }
        link.checkAddressee(peer.startUp(), true);
        peer.readyToReceive();
        checkRead(peer, 0, 100);
    }

    @Test
    void shouldAnswerOnceTheQueuePairIsReady() throws IOException
    {
        final DeviceLink link = link();
        final IwarpPeer peer = opened(IwarpPeer.connect(end.port()));
        peer.send(link.request().bytes());
        link.connect(0);
        link.checkAddressee(peer.startUp(), true);
        peer.readyToReceive();
        checkRead(peer, 0, 100);
    }

    @Test
    void shouldLetTheRightOneInThoughManyKeepSilent() throws IOException
    {
        final DeviceLink link = link();
        link.connect(0);
        for (int i = 0; i < SILENT; i++)
        {
            opened(IwarpPeer.connect(end.port()));
        }
        final IwarpPeer peer = opened(IwarpPeer.connect(end.port()));
        link.checkAddressee(peer.request(link.request()), true);
        peer.readyToReceive();
        checkRead(peer, 0, 100);
    }

    /** Silent ones, and ones that stop in the middle, are shown the door in the end. */
    @Tag("full")
    @Test
    void shouldPutUpWithPeersThatDoNotGoOn() throws IOException
    {
        final DeviceLink link = link();
        link.connect(0);
        final byte[] request = link.request().bytes();
        final List<IwarpPeer> silent = new ArrayList<>();
        for (final int length : new int[] {0, 1, 19, 20, request.length - 1})
        {
            final IwarpPeer peer = opened(IwarpPeer.connect(end.port()));
            peer.send(Arrays.copyOf(request, length));
            silent.add(peer);
        }
        for (final IwarpPeer peer : silent)
        {
            peer.socket().setSoTimeout(60_000);
            assertTrue(isRefused(peer));
        }
        final IwarpPeer peer = opened(IwarpPeer.connect(end.port()));
        link.checkAddressee(peer.request(link.request()), true);
    }

    @Test
    void shouldOutliveThousandsOfConnects() throws IOException
    {
        final IwarpPeer bystander = initiate(link());
        final DeviceLink link = link();
        link.connect(0);
        final List<IwarpPeer> crowd = new ArrayList<>();
        try
        {
            for (int i = 0; i < 3000; i++)
            {
                final IwarpPeer one = IwarpPeer.connect(end.port());
                // Some come and go, some stay.
                if (i % 3 == 0)
                {
                    crowd.add(one);
                }
                else
                {
                    one.close();
                }
                if (i % 100 == 0)
                {
                    checkRead(bystander, i, 1000);
                }
            }
            checkRead(bystander, 0, 1000);
            // Those before it are refused or time out.
            final long endNs = hangNs();
            boolean isIn = false;
            while (!isIn)
            {
                assertTrue(System.nanoTime() - endNs < 0, "nobody gets in any more");
                isIn = isLetIn(link);
            }
        }
        finally
        {
            for (final IwarpPeer one : crowd)
            {
                one.close();
            }
        }
    }

    private boolean isLetIn(final DeviceLink link) throws IOException
    {
        final IwarpPeer peer = opened(IwarpPeer.connect(end.port()));
        try
        {
            final StartUp reply = peer.request(link.request());
            link.checkAddressee(reply, true);
            peer.readyToReceive();
            checkRead(peer, 0, 100);
            return true;
        }
        catch (final EOFException | SocketException e)
        {
            return false;
        }
    }

    private static void send(final IwarpPeer peer, final byte[] bytes) throws IOException
    {
        try
        {
            peer.send(bytes);
        }
        catch (final SocketException e)
        {
            // Refused after the first bytes.
        }
    }

    /** Whether all that comes is a refusal, or nothing, and then the end. */
    private static boolean isRefused(final IwarpPeer peer) throws IOException
    {
        try
        {
            final StartUp reply = peer.startUp();
            return reply.isReply() && reply.has(StartUp.REJECTED) && peer.isClosedByDevice();
        }
        catch (final EOFException | SocketException e)
        {
            return true;
        }
    }
}
