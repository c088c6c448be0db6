package org.onesided.conformance;

import java.util.ArrayList;
import java.util.List;
import org.onesided.verbs.CompletionOpcode;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.WorkCompletions;

/**
 * A completion, copied out of native memory so that tests can keep and compare it.
 */
record Completion(
    long id, int status, int opcode, int byteLength, boolean hasImmediate, int immediate, int queuePair)
{
    static List<Completion> copy(final WorkCompletions completions, final int count)
    {
        final List<Completion> copies = new ArrayList<>(count);
        for (int i = 0; i < count; i++)
        {
            copies.add(new Completion(
                completions.id(i),
                completions.status(i),
                completions.opcode(i),
                completions.byteLength(i),
                completions.hasImmediate(i),
                completions.immediate(i),
                completions.queuePair(i)));
        }
        return copies;
    }

    boolean isSuccess()
    {
        return status == CompletionStatus.SUCCESS;
    }

    @Override
    public String toString()
    {
        return "id=" + id + " " + CompletionStatus.name(status) + " " +
            (isSuccess() ? CompletionOpcode.name(opcode) : "") + " qp=" + queuePair;
    }
}
