package org.onesided.protocol.bootstrap;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.net.ProtocolException;
import org.agrona.DirectBuffer;
import org.onesided.protocol.bootstrap.codec.AccessesDecoder;
import org.onesided.protocol.bootstrap.codec.AnnounceDecoder;
import org.onesided.protocol.bootstrap.codec.BackupPartDecoder;
import org.onesided.protocol.bootstrap.codec.BackupStateDecoder;
import org.onesided.protocol.bootstrap.codec.BlankDecoder;
import org.onesided.protocol.bootstrap.codec.ChangeDecoder;
import org.onesided.protocol.bootstrap.codec.ChangingDecoder;
import org.onesided.protocol.bootstrap.codec.ConfirmDecoder;
import org.onesided.protocol.bootstrap.codec.ConnectDecoder;
import org.onesided.protocol.bootstrap.codec.ConnectedDecoder;
import org.onesided.protocol.bootstrap.codec.FollowersDecoder;
import org.onesided.protocol.bootstrap.codec.FormDecoder;
import org.onesided.protocol.bootstrap.codec.FormedDecoder;
import org.onesided.protocol.bootstrap.codec.FoundDecoder;
import org.onesided.protocol.bootstrap.codec.GoodbyeDecoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatDecoder;
import org.onesided.protocol.bootstrap.codec.HelloDecoder;
import org.onesided.protocol.bootstrap.codec.MemberDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.OfferDecoder;
import org.onesided.protocol.bootstrap.codec.ReadyDecoder;
import org.onesided.protocol.bootstrap.codec.RefusedDecoder;
import org.onesided.protocol.bootstrap.codec.RetireDecoder;
import org.onesided.protocol.bootstrap.codec.SamplingDecoder;
import org.onesided.protocol.bootstrap.codec.TakeDecoder;
import org.onesided.protocol.bootstrap.codec.TransferDecoder;
import org.onesided.protocol.bootstrap.codec.TransferredDecoder;
import org.onesided.protocol.bootstrap.codec.WelcomeDecoder;

/**
 * Checks, by the lengths that a message states, that it is complete, so that the generated decoders can trust it. A
 * message of a later schema version may have more at its end, or longer blocks.
 */
final class MessageShape
{
    private static final int VAR_DATA_HEADER_LENGTH = Short.BYTES;
    private static final int GROUP_HEADER_LENGTH = 2 * Short.BYTES;

    private final DirectBuffer buffer;
    private final int length;
    private int position;

    private MessageShape(final DirectBuffer buffer, final int length)
    {
        this.buffer = buffer;
        this.length = length;
    }

    /**
     * @param buffer with the message's SBE header at offset 0.
     * @param length of header and message in bytes.
     * @return the message's template id.
     * @throws ProtocolException if it is no whole message of this schema.
     */
    static int check(final DirectBuffer buffer, final int length) throws ProtocolException
    {
        return new MessageShape(buffer, length).check();
    }

    private int check() throws ProtocolException
    {
        skip(MessageHeaderDecoder.ENCODED_LENGTH);
        final int blockLength = unsignedShort(0);
        final int templateId = unsignedShort(Short.BYTES);
        final int schemaId = unsignedShort(2 * Short.BYTES);
        final int version = unsignedShort(3 * Short.BYTES);
        if (schemaId != MessageHeaderDecoder.SCHEMA_ID)
        {
            throw new ProtocolException("not a bootstrap message: schema=" + schemaId);
        }

        switch (templateId)
        {
            case HelloDecoder.TEMPLATE_ID -> body(blockLength, HelloDecoder.BLOCK_LENGTH, 2);
            case WelcomeDecoder.TEMPLATE_ID -> body(blockLength, WelcomeDecoder.BLOCK_LENGTH, 0);
            case RefusedDecoder.TEMPLATE_ID -> body(blockLength, RefusedDecoder.BLOCK_LENGTH, 1);
            case OfferDecoder.TEMPLATE_ID ->
            {
                body(blockLength, OfferDecoder.BLOCK_LENGTH, 0);
                group(OfferDecoder.DevicesDecoder.sbeBlockLength(), 1);
                group(OfferDecoder.MembersDecoder.sbeBlockLength(), 1);
                group(OfferDecoder.LeadersDecoder.sbeBlockLength(), 0);
            }
            case BlankDecoder.TEMPLATE_ID ->
                body(blockLength, BlankDecoder.BLOCK_LENGTH, version < BlankDecoder.zoneSinceVersion() ? 1 : 2);
            case FormDecoder.TEMPLATE_ID ->
            {
                body(blockLength, FormDecoder.BLOCK_LENGTH, 0);
                group(FormDecoder.MembersDecoder.sbeBlockLength(), 2);
                varData();
            }
            case FormedDecoder.TEMPLATE_ID -> body(blockLength, FormedDecoder.BLOCK_LENGTH, 0);
            case FoundDecoder.TEMPLATE_ID -> body(blockLength, FoundDecoder.BLOCK_LENGTH, 0);
            case FollowersDecoder.TEMPLATE_ID ->
            {
                body(blockLength, FollowersDecoder.BLOCK_LENGTH, 0);
                group(FollowersDecoder.AllDecoder.sbeBlockLength(), 0);
                group(FollowersDecoder.LedDecoder.sbeBlockLength(), 0);
                group(FollowersDecoder.KeptDecoder.sbeBlockLength(), 0);
                if (version >= FollowersDecoder.zoneSinceVersion())
                {
                    varData();
                }
            }
            case TransferDecoder.TEMPLATE_ID -> body(blockLength, TransferDecoder.BLOCK_LENGTH, 0);
            case TransferredDecoder.TEMPLATE_ID -> body(blockLength, TransferredDecoder.BLOCK_LENGTH, 0);
            case MemberDecoder.TEMPLATE_ID ->
            {
                body(blockLength, MemberDecoder.BLOCK_LENGTH, 0);
                group(MemberDecoder.MembersDecoder.sbeBlockLength(), 2);
                group(MemberDecoder.ReplicasDecoder.sbeBlockLength(), 0);
                varData();
            }
            case AnnounceDecoder.TEMPLATE_ID -> body(blockLength, AnnounceDecoder.BLOCK_LENGTH, 2);
            case TakeDecoder.TEMPLATE_ID -> body(blockLength, TakeDecoder.BLOCK_LENGTH, 0);
            case ChangeDecoder.TEMPLATE_ID ->
            {
                body(blockLength, ChangeDecoder.BLOCK_LENGTH, 0);
                group(ChangeDecoder.BeforeDecoder.sbeBlockLength(), 0);
                group(ChangeDecoder.AfterDecoder.sbeBlockLength(), 2);
            }
            case ChangingDecoder.TEMPLATE_ID -> body(blockLength, ChangingDecoder.BLOCK_LENGTH, 0);
            case ConnectDecoder.TEMPLATE_ID ->
            {
                body(blockLength, ConnectDecoder.BLOCK_LENGTH, 0);
                group(ConnectDecoder.EndpointsDecoder.sbeBlockLength(), 1);
            }
            case ConnectedDecoder.TEMPLATE_ID ->
            {
                body(blockLength, ConnectedDecoder.BLOCK_LENGTH, 0);
                group(ConnectedDecoder.EndpointsDecoder.sbeBlockLength(), 1);
                group(ConnectedDecoder.SegmentsDecoder.sbeBlockLength(), 0);
            }
            case ReadyDecoder.TEMPLATE_ID -> body(blockLength, ReadyDecoder.BLOCK_LENGTH, 0);
            case HeartbeatDecoder.TEMPLATE_ID ->
                body(blockLength, version < HeartbeatDecoder.hitsSinceVersion() ? 0 : HeartbeatDecoder.BLOCK_LENGTH, 0);
            case RetireDecoder.TEMPLATE_ID ->
            {
                body(blockLength, RetireDecoder.BLOCK_LENGTH, 0);
                group(RetireDecoder.ShardsDecoder.sbeBlockLength(), 0);
            }
            case AccessesDecoder.TEMPLATE_ID ->
            {
                body(blockLength, AccessesDecoder.BLOCK_LENGTH, 0);
                group(AccessesDecoder.ShardsDecoder.sbeBlockLength(), 1);
            }
            case SamplingDecoder.TEMPLATE_ID -> body(blockLength, SamplingDecoder.BLOCK_LENGTH, 0);
            case BackupStateDecoder.TEMPLATE_ID -> body(blockLength, BackupStateDecoder.BLOCK_LENGTH, 0);
            case BackupPartDecoder.TEMPLATE_ID -> body(blockLength, BackupPartDecoder.BLOCK_LENGTH, 1);
            case ConfirmDecoder.TEMPLATE_ID -> body(blockLength, ConfirmDecoder.BLOCK_LENGTH, 0);
            case GoodbyeDecoder.TEMPLATE_ID -> body(blockLength, GoodbyeDecoder.BLOCK_LENGTH, 1);
            default -> throw new ProtocolException("unknown message: template=" + templateId);
        }

        if (version == MessageHeaderDecoder.SCHEMA_VERSION && position != length)
        {
            throw new ProtocolException(
                "message has bytes too many: template=" + templateId + " extra=" + (length - position));
        }
        return templateId;
    }

    private void body(final int stated, final int known, final int varDataCount) throws ProtocolException
    {
        block(stated, known);
        for (int i = 0; i < varDataCount; i++)
        {
            varData();
        }
    }

    private void group(final int known, final int varDataCount) throws ProtocolException
    {
        final int header = position;
        skip(GROUP_HEADER_LENGTH);
        final int stated = unsignedShort(header);
        final int count = unsignedShort(header + Short.BYTES);
        for (int i = 0; i < count; i++)
        {
            body(stated, known, varDataCount);
        }
    }

    private void block(final int stated, final int known) throws ProtocolException
    {
        if (stated < known)
        {
            throw new ProtocolException("block is too short: length=" + stated + " known=" + known);
        }
        skip(stated);
    }

    private void varData() throws ProtocolException
    {
        final int header = position;
        skip(VAR_DATA_HEADER_LENGTH);
        skip(unsignedShort(header));
    }

    private void skip(final int count) throws ProtocolException
    {
        if (count > length - position)
        {
            throw new ProtocolException(
                "message is cut short: length=" + length + " position=" + position + " needed=" + count);
        }
        position += count;
    }

    private int unsignedShort(final int offset)
    {
        return buffer.getShort(offset, LITTLE_ENDIAN) & 0xFFFF;
    }
}
