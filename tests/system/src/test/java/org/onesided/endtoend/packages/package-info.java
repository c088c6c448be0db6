/**
 * The Debian package and the container image, built, installed and run.
 */
package org.onesided.endtoend.packages;
