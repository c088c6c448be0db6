package org.onesided.protocol.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ProtocolException;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.onesided.protocol.bootstrap.codec.BlankDecoder;
import org.onesided.protocol.bootstrap.codec.BlankEncoder;
import org.onesided.protocol.bootstrap.codec.FollowersDecoder;
import org.onesided.protocol.bootstrap.codec.FollowersEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;

/** Names of zones, and the messages that have them: builds of before left them out. */
class ZoneNameTest
{
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);

    private int blank(final String zone)
    {
        final BlankEncoder blank = new BlankEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        return blank.peerTls((short)0).prepared(7).peerAddress("127.0.0.1:1").zone(zone).limit();
    }

    private int followers(final String zone)
    {
        final FollowersEncoder followers =
            new FollowersEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).diskFree(1);
        followers.allCount(0);
        followers.ledCount(0);
        followers.keptCount(1).next().shard(3);
        return followers.zone(zone).limit();
    }

    private void version(final int version)
    {
        new MessageHeaderEncoder().wrap(buffer, 0).version(version);
    }

    @Test
    void shouldTakeNamesOnly() throws ProtocolException
    {
        assertTrue(ZoneName.isValid("eu-west_1.a"));
        assertTrue(ZoneName.isValid("z".repeat(32)));
        assertFalse(ZoneName.isValid("z".repeat(33)));
        assertFalse(ZoneName.isValid(""));
        assertFalse(ZoneName.isValid("a b"));
        assertFalse(ZoneName.isValid("a\n"));
        assertEquals("", ZoneName.ofPeer(""));
        assertEquals("a", ZoneName.ofPeer("a"));
        final String message = assertThrows(ProtocolException.class, () -> ZoneName.ofPeer("\u001b[2J")).getMessage();
        assertEquals("a zone has 1 to 32 letters, digits, '-', '_' or '.': zone= [2J", message);
    }

    @Test
    void shouldReadBlankServersOfBefore() throws ProtocolException
    {
        final int length = blank("");
        assertEquals(BlankDecoder.TEMPLATE_ID, MessageShape.check(buffer, length));
        assertThrows(ProtocolException.class, () -> MessageShape.check(buffer, length - Short.BYTES));
        version(1);
        assertEquals(BlankDecoder.TEMPLATE_ID, MessageShape.check(buffer, length - Short.BYTES));
        final BlankDecoder former = new BlankDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder());
        assertEquals("127.0.0.1:1", former.peerAddress());
        assertEquals("", former.zone());
    }

    @Test
    void shouldReadMembersOfBefore() throws ProtocolException
    {
        assertEquals(FollowersDecoder.TEMPLATE_ID, MessageShape.check(buffer, followers("a")));
        final int length = followers("");
        assertThrows(ProtocolException.class, () -> MessageShape.check(buffer, length - Short.BYTES));
        version(1);
        assertEquals(FollowersDecoder.TEMPLATE_ID, MessageShape.check(buffer, length - Short.BYTES));
        final FollowersDecoder former =
            new FollowersDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder());
        assertFalse(former.all().hasNext());
        assertFalse(former.led().hasNext());
        assertEquals(3, former.kept().next().shard());
        assertEquals("", former.zone());
    }

    /** As builds of before do: they know less than the message has. */
    @Test
    void shouldPassWhatALaterVersionHasAtTheEnd() throws ProtocolException
    {
        final int length = blank("a");
        version(MessageHeaderDecoder.SCHEMA_VERSION + 1);
        assertEquals(BlankDecoder.TEMPLATE_ID, MessageShape.check(buffer, length + 5));
    }
}
