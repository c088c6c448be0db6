package org.onesided.verbs.tcp;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionStatus;

/**
 * Faults that end a connection with a TERMINATE: codes (RFC 5040, 4.8; RFC 5041, 8.2; RFC 5044, 8), the event for this
 * side, and the name of the counter.
 */
enum Fault
{
    /** The side that ends the connection has failed. */
    CATASTROPHIC(0, 0, 0, null, "side that ends it cannot go on"),
    /** The key to read from does not exist. */
    READ_KEY(0, 1, 0, AsyncEvent.Type.QP_ACCESS_ERR, "key to be read from is none"),
    /** The range to be read from is not inside the region. */
    READ_RANGE(0, 1, 1, AsyncEvent.Type.QP_ACCESS_ERR, "range to be read from is not inside the region"),
    /** Region or queue pair do not allow the access. */
    ACCESS(0, 1, 2, AsyncEvent.Type.QP_ACCESS_ERR, "region or queue pair does not allow it"),
    /** The region to be read from belongs to another protection domain. */
    READ_DOMAIN(0, 1, 3, AsyncEvent.Type.QP_ACCESS_ERR,
        "region to be read from belongs to another protection domain"),
    /** RDMAP's version is unknown. */
    RDMAP_VERSION(0, 2, 5, AsyncEvent.Type.QP_FATAL, "RDMAP's version is none that this side knows"),
    /** The operation is not allowed in this segment. */
    OPCODE(0, 2, 6, AsyncEvent.Type.QP_FATAL, "operation is none that may come so"),
    /** The key to write to does not exist. */
    WRITE_KEY(1, 1, 0, AsyncEvent.Type.QP_ACCESS_ERR, "key to be written to is none"),
    /** The range to be written to is not inside the region, or not what was asked for. */
    WRITE_RANGE(1, 1, 1, AsyncEvent.Type.QP_ACCESS_ERR,
        "range to be written to is not inside the region, or not what was asked for"),
    /** The region to be written to belongs to another protection domain. */
    WRITE_DOMAIN(1, 1, 2, AsyncEvent.Type.QP_ACCESS_ERR,
        "region to be written to belongs to another protection domain"),
    /** DDP's version of a tagged segment is unknown. */
    TAGGED_VERSION(1, 1, 4, AsyncEvent.Type.QP_FATAL,
        "DDP's version of a tagged segment is none that this side knows"),
    /** No such queue. */
    QUEUE(1, 2, 1, AsyncEvent.Type.QP_FATAL, "there is no such queue"),
    /** No receive, and no room for a message to wait for one. */
    NO_RECEIVE(1, 2, 2, AsyncEvent.Type.QP_REQ_ERR, "there is no receive, and no room for a message to wait for one"),
    /** More READs in flight than this side answers. */
    TOO_MANY_READS(1, 2, 2, AsyncEvent.Type.QP_REQ_ERR, "more READs than this side said it answers at a time"),
    /** A message is missing. */
    MESSAGE_NUMBER(1, 2, 3, AsyncEvent.Type.QP_FATAL, "message is missing"),
    /** Part of a message is missing. */
    MESSAGE_OFFSET(1, 2, 4, AsyncEvent.Type.QP_FATAL, "part of a message is missing"),
    /** The receive is too small. */
    TOO_LONG(1, 2, 5, null, "receive is too small"),
    /** A READ request has a wrong length. */
    READ_LENGTH(1, 2, 5, AsyncEvent.Type.QP_FATAL, "READ request has another length than all have"),
    /** DDP's version of an untagged segment is unknown. */
    UNTAGGED_VERSION(1, 2, 6, AsyncEvent.Type.QP_FATAL,
        "DDP's version of an untagged segment is none that this side knows"),
    /** A frame's checksum is wrong. */
    CRC(2, 0, 2, AsyncEvent.Type.QP_FATAL, "frame's checksum is wrong"),
    /** A frame was not completed in time; the closest error of the RFCs is a lost connection. */
    FRAME_UNFINISHED(2, 0, 1, AsyncEvent.Type.QP_FATAL, "frame began and did not come to its end in time"),
    /** A frame is too short for its type. */
    FRAME_LENGTH(2, 0, 3, AsyncEvent.Type.QP_FATAL, "frame is too short for what it says it is");

    private static final int LAYER_SHIFT = 28;
    private static final int TYPE_SHIFT = 24;
    private static final int CODE_SHIFT = 16;
    private static final int TYPE_MASK = 0xFF;

    private static final int RDMAP_PROTECTION = 0x01;
    private static final int DDP_TAGGED = 0x11;
    private static final int CATASTROPHIC_TYPE = 0x00;

    private final int control;
    private final AsyncEvent.Type event;
    private final String text;

    Fault(final int layer, final int type, final int code, final AsyncEvent.Type event, final String text)
    {
        control = layer << LAYER_SHIFT | type << TYPE_SHIFT | code << CODE_SHIFT;
        this.event = event;
        this.text = text;
    }

    /**
     * @return layer, type and code in their place in a TERMINATE.
     */
    int control()
    {
        return control;
    }

    /**
     * @return the event for this side, or null if a completion reports the fault.
     */
    AsyncEvent.Type event()
    {
        return event;
    }

    /**
     * @return what is wrong, to tell people.
     */
    String text()
    {
        return text;
    }

    /**
     * @return name that it is counted by.
     */
    String counter()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * @param control of a TERMINATE that came.
     * @return what it says, its layer, type and code as four digits at the end.
     */
    static String describe(final int control)
    {
        final String texts = Arrays.stream(values())
            .filter((fault) -> (fault.control ^ control) >>> CODE_SHIFT == 0)
            .map(Fault::text)
            .collect(Collectors.joining(", or "));
        return (texts.isEmpty() ? "which says nothing that is known here" : "which says: " + texts) +
            String.format(": terminate=0x%04x", control >>> CODE_SHIFT);
    }

    /**
     * @param control of a TERMINATE that came.
     * @return status of the request that it is about.
     */
    static int status(final int control)
    {
        return switch (control >>> TYPE_SHIFT & TYPE_MASK)
        {
            case RDMAP_PROTECTION, DDP_TAGGED -> CompletionStatus.REM_ACCESS_ERR;
            case CATASTROPHIC_TYPE -> CompletionStatus.REM_OP_ERR;
            default -> CompletionStatus.REM_INV_REQ_ERR;
        };
    }
}
