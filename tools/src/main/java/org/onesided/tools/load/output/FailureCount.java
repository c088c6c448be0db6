package org.onesided.tools.load.output;

import java.io.Serializable;

/**
 * Operations that failed for the same reason.
 *
 * @param operation name of the operation.
 * @param kind      of failure, such as {@code deadline}.
 * @param count     how many.
 * @param example   message of the first failure.
 */
public record FailureCount(String operation, String kind, long count, String example) implements Serializable
{
}
