# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
#
# Part of local-cluster.sh: the configuration of its daemons. Uses its variables.
# shellcheck disable=SC2154  # set by parse_options

# Node i of the cluster is called node<i>.
node_names() {
  local i
  for ((i = 0; i < nodes; ++i)); do printf 'node%d\n' "$i"; done
}

address_of_controller() { if [[ $network == yes ]]; then network_address 1; else echo 127.0.0.1; fi; }

# The first of nodes + 1 consecutive free ports. The search begins at a number that depends on the
# folder, so that several clusters rarely try the same ports.
free_ports() {
  local listening base step port
  listening="$(awk '$4 == "0A" { print $2 }' /proc/net/tcp /proc/net/tcp6 2>/dev/null | sed 's/.*://')"
  base=$((20000 + $(cksum <<<"$folder" | cut -d' ' -f1) % 10000))
  for ((step = 0; step < 100; ++step, base += 100)); do
    ((base + nodes < 32000)) || base=$((20000 + step))
    for ((port = base; port <= base + nodes; ++port)); do
      if grep -qix "$(printf '%04X' "$port")" <<<"$listening"; then continue 2; fi
    done
    echo "$base"
    return 0
  done
  die 4 "found no $((nodes + 1)) free ports in a row between 20000 and 32000"
}

# Slurm needs one character device per GPU. A link to the null device is one, and its number appears
# in CUDA_VISIBLE_DEVICES.
write_gpus() {
  local i
  : >"$folder/gres.conf"
  ((gpus > 0)) || return 0
  mkdir -p "$folder/dev"
  for ((i = 0; i < gpus; ++i)); do ln -sfn /dev/null "$folder/dev/gpu$i"; done
  {
    echo 'AutoDetect=off'
    for ((i = 0; i < nodes; ++i)); do
      echo "NodeName=node$i Name=gpu${types:+ Type=$(gpu_type "$i")} File=$folder/dev/gpu[0-$((gpus - 1))]"
    done
  } >"$folder/gres.conf"
}

# gpu_type NODE
gpu_type() {
  local -a names
  IFS=, read -ra names <<<"$types"
  echo "${names[$1 % ${#names[@]}]}"
}

node_lines() {
  local common="CPUs=$cpus CoresPerSocket=$cpus ThreadsPerCore=1 State=UNKNOWN" every i
  every="$common"
  for ((i = 0; i < nodes; ++i)); do
    if ((gpus > 0)); then common="$every Gres=gpu:${types:+$(gpu_type "$i"):}$gpus"; fi
    if [[ $network == yes ]]; then
      echo "NodeName=node$i NodeAddr=$(network_address $((i + 10))) Port=$((port + 1)) $common"
    else
      echo "NodeName=node$i NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((port + 1 + i)) $common"
    fi
  done
}

write_slurm_conf() {
  local port
  port="$(free_ports)"
  cat >"$folder/slurm.conf" <<CONF
# Written by slurm/local-cluster.sh.
ClusterName=mimus
SlurmctldHost=$(hostname -s)($(address_of_controller))
SlurmctldPort=$port
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
# cred_expire is also how long a requeued job waits before it starts again.
AuthType=auth/munge
AuthInfo=socket=$folder/run/munge.socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdSpoolDir=$folder/spool/%n
SlurmdPidFile=$folder/run/slurmd.%n.pid
SlurmdLogFile=$folder/log/slurmd.%n.log
# One per node, because PMIx makes a directory in it that nodes on one machine would share otherwise.
TmpFS=$folder/tmp/%n
TaskProlog=$folder/task-prolog
JobCompType=jobcomp/filetxt
JobCompLoc=$folder/log/jobs.txt
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
# The nodes claim more cores than the machine has.
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=2,batch_sched_delay=0,bf_interval=5
# A node that was set down stays down until it is resumed.
ReturnToService=1
JobRequeue=1
KillWait=5
UnkillableStepTimeout=20
MessageTimeout=30
SlurmdTimeout=120
MinJobAge=3600
PropagateResourceLimits=NONE
GresTypes=gpu
$(node_lines)
PartitionName=local Nodes=node[0-$((nodes - 1))] Default=YES MaxTime=INFINITE
CONF
  printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n' >"$folder/cgroup.conf"
}

# What a site would set for every task: the interface that Open MPI uses. If nodes do not have
# separate host names, Open MPI would take two nodes for one and confuse their shared memory. Ranks
# then communicate over TCP.
write_task_prolog() {
  local interface=lo
  if [[ $network == yes ]]; then interface=eth0; fi
  {
    echo '#!/bin/sh'
    for name in oob_tcp_if_include btl_tcp_if_include; do
      echo "test -n \"\$OMPI_MCA_$name\" || echo export OMPI_MCA_$name=$interface"
    done
    if ! nodes_can_have_names; then
      # shellcheck disable=SC2016  # for the written script
      echo 'test -n "$OMPI_MCA_btl" || echo export OMPI_MCA_btl=self,tcp'
    fi
  } >"$folder/task-prolog"
  chmod 755 "$folder/task-prolog"
}

write_configuration() {
  local name
  rm -rf "${folder:?}"/{state,spool,tmp,run,dev}
  # Munge refuses keys and sockets in folders that others may write to.
  mkdir -p "$folder"/{log,run,state,spool,tmp}
  chmod 755 "$folder" "$folder"/{log,run,state,spool,tmp}
  for name in $(node_names); do mkdir -p "$folder/spool/$name" "$folder/tmp/$name"; done
  chmod 1777 "$folder"/tmp/node*
  (umask 077 && head -c 128 /dev/urandom >"$folder/munge.key")
  write_gpus
  write_slurm_conf
  write_task_prolog
}
