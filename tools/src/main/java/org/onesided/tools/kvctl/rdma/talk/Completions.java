package org.onesided.tools.kvctl.rdma.talk;

import org.onesided.verbs.CompletionOpcode;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.WorkCompletions;

/**
 * Describes work completions in words.
 */
final class Completions
{
    private Completions()
    {
    }

    /** Describes why a request failed and the usual cause. */
    static TalkException failed(final WorkCompletions completions, final int index)
    {
        final int status = completions.status(index);
        return new TalkException(
            status == CompletionStatus.RETRY_EXC_ERR ? TalkException.Kind.DEADLINE : TalkException.Kind.FAILED,
            "a request failed" + hint(status) + ": status=" + CompletionStatus.name(status) + " vendor_err=0x" +
                Integer.toHexString(completions.vendorError(index)) + " wr_id=" + completions.id(index));
    }

    /** The usual cause of a status. */
    static String hint(final int status)
    {
        return switch (status)
        {
            case CompletionStatus.RETRY_EXC_ERR -> ", the peer does not answer";
            case CompletionStatus.RNR_RETRY_EXC_ERR -> ", the peer has no receive posted";
            case CompletionStatus.LOC_LEN_ERR, CompletionStatus.REM_INV_REQ_ERR ->
                ", the receive is shorter than the message";
            case CompletionStatus.REM_OP_ERR -> ", the peer failed at it, maybe for a receive that is too short";
            case CompletionStatus.REM_ACCESS_ERR -> ", the peer does not grant that access";
            case CompletionStatus.WR_FLUSH_ERR -> ", the queue pair is in ERR";
            default -> "";
        };
    }

    /** One line with all fields. The caller supplies the opcode, because a failed completion has none. */
    static String line(final WorkCompletions completions, final int index, final String posted)
    {
        final int status = completions.status(index);
        final boolean isSuccess = status == CompletionStatus.SUCCESS;
        final StringBuilder line = new StringBuilder("completion: wr_id=").append(completions.id(index))
            .append(" opcode=").append(isSuccess ? CompletionOpcode.name(completions.opcode(index)) : posted)
            .append(" status=").append(CompletionStatus.name(status))
            .append(" vendor_err=0x").append(Integer.toHexString(completions.vendorError(index)));
        if (isSuccess)
        {
            if ((completions.opcode(index) & CompletionOpcode.RECV) != 0)
            {
                // Devices differ in whether they fill this in for sends.
                line.append(" byte_len=").append(Integer.toUnsignedString(completions.byteLength(index)));
            }
            if (completions.hasImmediate(index))
            {
                line.append(" imm_data=0x").append(Integer.toHexString(completions.immediate(index)));
            }
        }
        else
        {
            line.append(hint(status));
        }
        return line.toString();
    }
}
