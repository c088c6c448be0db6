package org.onesided.client.request;

import org.onesided.client.types.Version;
import org.onesided.protocol.rpc.codec.ConditionKind;

/**
 * What a write asks of its key's present value.
 *
 * @param kind    of condition.
 * @param tableId of the expected version, or 0.
 * @param version that is expected, or 0.
 */
public record WriteCondition(ConditionKind kind, long tableId, long version)
{
    /** The key is absent. */
    public static final WriteCondition ABSENT = new WriteCondition(ConditionKind.ABSENT, 0, 0);
    /** The key is present. */
    public static final WriteCondition PRESENT = new WriteCondition(ConditionKind.PRESENT, 0, 0);

    /**
     * @param expected version.
     * @return the condition that the key has it.
     */
    public static WriteCondition of(final Version expected)
    {
        return new WriteCondition(ConditionKind.VERSION, expected.tableId(), expected.number());
    }
}
