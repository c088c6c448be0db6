package org.onesided.iwarp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onesided.testing.HangGuard;
import org.onesided.testing.JavaCommand;

/**
 * Peers that try to hold all the memory that a device sends and receives with: others do not notice.
 */
@Timeout(300)
class HoardingPeersTest
{
    /** A device that has 48 buffers. */
    private static final String SCARCE = "-XX:MaxDirectMemorySize=16m";
    private static final int HOARDERS = 64;
    private static final int DEPTH = 16;

    /** What each of them does. */
    enum Hoard
    {
        ONE_BYTE((peer, region) -> peer.send(new byte[] {(byte)0xFF})),
        HEAD_OF_A_FRAME((peer, region) -> peer.send(Arrays.copyOf(longFrame(region), 16))),
        MOST_OF_A_FRAME((peer, region) -> peer.send(Arrays.copyOf(longFrame(region), 60_000))),
        ONE_FRAME_AND_MOST_OF_ANOTHER((peer, region) ->
        {
            peer.send(longFrame(region));
            peer.send(Arrays.copyOf(longFrame(region), 60_000));
        }),
        ANSWERS_NOT_TAKEN((peer, region) ->
        {
            for (int i = 0; i < DEPTH; i++)
            {
                peer.read(region.all());
            }
        });

        private final Action action;

        Hoard(final Action action)
        {
            this.action = action;
        }
    }

    /** Sends what holds memory. */
    interface Action
    {
        void send(IwarpPeer peer, Region region) throws IOException;
    }

    /** The device's region. */
    record Region(int port, int key, long address)
    {
        ReadRequest all()
        {
            return new ReadRequest(0x5151, 0, IwarpTest.LENGTH, key, address);
        }

        ReadRequest part(final int offset, final int length)
        {
            return new ReadRequest(0x5151, 0, length, key, address + offset);
        }
    }

    private final List<IwarpPeer> peers = new ArrayList<>();
    private Process process;
    private BufferedReader output;
    private Region region;

    @AfterEach
    void close() throws Exception
    {
        for (final IwarpPeer peer : peers)
        {
            peer.close();
        }
        if (process != null)
        {
            process.destroyForcibly();
            assertTrue(process.waitFor(HangGuard.seconds(20), TimeUnit.SECONDS));
            output.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Hoard.class)
    void shouldNotTakeMemoryFromOthers(final Hoard hoard) throws Exception
    {
        start(1 + HOARDERS);
        final IwarpPeer bystander = connect();
        check(bystander);
        for (int i = 0; i < HOARDERS; i++)
        {
            hoard.action.send(connect(), region);
        }
        for (int i = 0; i < 100; i++)
        {
            check(bystander);
        }
        final String counters = end();
        assertTrue(counters.contains("no_memory=0"), counters);
        // On a machine that is slow, those are cut off whose frames are unfinished for too long.
        assertEquals(
            valueOf(counters, "terminates_sent_frame_unfinished"), valueOf(counters, "terminates_sent"), counters);
    }

    @Tag("full")
    @Test
    void shouldEndThoseWhoDoNotFinishAFrame() throws Exception
    {
        start(4);
        final IwarpPeer bystander = connect();
        final IwarpPeer one = connect();
        one.send(new byte[1]);
        final IwarpPeer most = connect();
        most.send(Arrays.copyOf(longFrame(region), 60_000));
        final IwarpPeer slow = connect();
        final byte[] frame = longFrame(region);
        int sent = 0;
        final long endNs = System.nanoTime() + HangGuard.nanos(60);
        // Bytes that come now and then are no excuse.
        while (slow.socket().getInputStream().available() == 0)
        {
            assertTrue(System.nanoTime() - endNs < 0, "it goes on and on");
            slow.send(new byte[] {frame[sent++]});
            check(bystander);
            Thread.sleep(10);
        }
        for (final IwarpPeer peer : List.of(one, most, slow))
        {
            final Terminate terminate = peer.terminate();
            assertNotNull(terminate);
            assertEquals("2/0/1", terminate.error());
        }
        check(bystander);
        final String counters = end();
        assertTrue(counters.contains("terminates_sent_frame_unfinished=3"), counters);
        assertTrue(counters.contains("terminates_sent=3"), counters);
    }

    /** Kinds that did not occur are not listed. */
    private static long valueOf(final String counters, final String name)
    {
        final Matcher matcher = Pattern.compile("\\b" + name + "=(\\d+)").matcher(counters);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    private void start(final int count) throws IOException
    {
        process = new ProcessBuilder(JavaCommand.of(
            List.of(SCARCE), ScarceDevice.class.getName(), List.of(Integer.toString(count), Integer.toString(DEPTH))))
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        output = process.inputReader(StandardCharsets.UTF_8);
        final String[] words = words();
        region = new Region(Integer.parseInt(words[0]), Integer.parseInt(words[1]), Long.parseLong(words[2]));
    }

    private IwarpPeer connect() throws IOException
    {
        final String[] words = words();
        final IwarpPeer peer = IwarpPeer.connect(region.port());
        peers.add(peer);
        final StartUp reply = peer.request(StartUp.enhanced(
            false, DEPTH, DEPTH, Integer.parseInt(words[0]), DeviceLink.PEER_NUMBER,
            HexFormat.of().parseHex(words[1])));
        assertTrue(reply.isReply());
        peer.readyToReceive();
        return peer;
    }

    private String[] words() throws IOException
    {
        final String line = output.readLine();
        assertNotNull(line, "the device's process ended");
        return line.split(" ");
    }

    private void check(final IwarpPeer bystander) throws IOException
    {
        for (final int length : new int[] {10, 100_000})
        {
            final ReadRequest request = region.part(length, length);
            bystander.read(request);
            assertArrayEquals(DeviceEnd.pattern(length, length), bystander.response(request));
        }
    }

    private String end() throws IOException
    {
        process.getOutputStream().close();
        final String counters = output.readLine();
        assertNotNull(counters, "the device's process ended");
        return counters;
    }

    /** A WRITE as long as a frame can be. */
    private static byte[] longFrame(final Region region)
    {
        final byte[] ulpdu = Segment.tagged(
            Segment.WRITE, true, region.key(), region.address(), DeviceEnd.pattern(0, 0xFFFF - 14)).bytes();
        return Fpdu.encode(ulpdu);
    }
}
